#!/bin/sh
# Makes the namespace, or sets its retention: for so long the histories of ended runs can be looked at (docs/operations.md).
# In: TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, RETENTION; TEMPORAL_CLI where it is not on PATH.
set -eu
cli=${TEMPORAL_CLI:-temporal}
"$cli" operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION" ||
  "$cli" operator namespace update --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
