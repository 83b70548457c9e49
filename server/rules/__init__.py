"""The Rules service: games for thin clients."""
