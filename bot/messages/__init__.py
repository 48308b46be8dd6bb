"""Make messages from matches for one reader: boards, lobbies, buttons, texts and pictures."""
