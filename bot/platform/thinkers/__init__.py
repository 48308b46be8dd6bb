"""Think in worker processes of low priority, so that no computer player slows the bot down."""
