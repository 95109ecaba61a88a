/** A measured number in the output of the test run. */
export function report(line: string): void {
  process.stderr.write(`  measured: ${line}\n`)
}
