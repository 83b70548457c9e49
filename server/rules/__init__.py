"""The Rules service: games for thin clients. Its service knows calls, and no other room."""
