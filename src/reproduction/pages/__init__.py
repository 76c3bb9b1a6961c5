"""Tables, figures and pages for the notebooks."""
