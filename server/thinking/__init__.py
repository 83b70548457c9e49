"""The Bots service, and the searches of this process: who may think when."""
