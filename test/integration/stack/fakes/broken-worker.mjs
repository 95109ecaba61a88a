/** Stands in for a worker that cannot start. */
process.stderr.write('no luck today\n')
process.exit(1)
