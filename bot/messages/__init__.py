"""What is shown: boards, lobbies, buttons, texts and pictures, made from matches for one reader."""
