"""What conditions are proved with: exclusions, case trees, corrections at faces, bounded correctors on pattern cells."""
