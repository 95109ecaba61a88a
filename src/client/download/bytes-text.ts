const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** As people read it: `0 bytes`, `12.3 MB`. */
export function bytesText(bytes: number): string {
  let value = bytes
  let unit = 0
  for (; value >= 1000 && unit < UNITS.length - 1; unit += 1) value /= 1000
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit] ?? ''}`
}
