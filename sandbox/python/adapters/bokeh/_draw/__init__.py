"""draw - plots as pictures, by matplotlib."""
