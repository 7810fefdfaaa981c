"""What the tools and the REST interface of the Cinder contract share."""
