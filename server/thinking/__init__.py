"""The Bots service, and the searches of this process: who may think when. Knows basics; its service calls, too."""
