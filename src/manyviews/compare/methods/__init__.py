"""The methods that are compared, a file each: a new one is found when its file is there."""
