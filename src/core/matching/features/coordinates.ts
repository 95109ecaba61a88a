/** Points on the earth in degrees. */
export interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

const PAIR = /^\s*(?:Point\()?([+-]?\d{1,3}(?:\.\d+)?)[\s,;]+([+-]?\d{1,3}(?:\.\d+)?)\)?\s*$/i
const EARTH_RADIUS_KM = 6371

/** Reads `lat,lon` in degrees, and `Point(lon lat)` as Wikidata writes it. @returns null for anything else. */
export function readCoordinates(text: string): Coordinates | null {
  const match = PAIR.exec(text)
  if (match === null) return null
  const [first, second] = [Number(match[1]), Number(match[2])]
  const [latitude, longitude] = /^\s*point/i.test(text) ? [second, first] : [first, second]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}

/** Great-circle distance in kilometres (haversine). */
export function distanceKm(one: Coordinates, other: Coordinates): number {
  const latitudes = radians(other.latitude - one.latitude)
  const longitudes = radians(other.longitude - one.longitude)
  const chord =
    Math.sin(latitudes / 2) ** 2 +
    Math.cos(radians(one.latitude)) *
      Math.cos(radians(other.latitude)) *
      Math.sin(longitudes / 2) ** 2
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
