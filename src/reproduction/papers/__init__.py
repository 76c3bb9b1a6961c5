"""The papers' protocols, one package a paper; each yields tidy rows."""
