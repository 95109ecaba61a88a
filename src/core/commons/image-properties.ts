/** Properties of Wikidata whose values are names of picture files on Commons. */
const IMAGE_PROPERTIES: ReadonlySet<string> = new Set([
  'P18', // image
  'P41', // flag
  'P94', // coat of arms
  'P109', // signature
  'P117', // chemical structure
  'P154', // logo
  'P158', // seal
  'P181', // range map of a taxon
  'P242', // locator map
  'P948', // banner of a page
  'P1442', // grave
  'P1543', // monogram
  'P1621', // detail map
  'P1766', // place name sign
  'P1801', // plaque
  'P1846', // distribution map
  'P1943', // location map
  'P1944', // relief map
  'P2425', // service ribbon
  'P2716', // collage
  'P2910', // icon
  'P3383', // film poster
  'P3451', // view at night
  'P4291', // panorama
  'P5252', // view in winter
  'P5775', // interior
  'P6802', // related image
  'P7417', // back side
  'P8517', // view
  'P8592', // view from the air
  'P9721', // entrance
])

/** Of these properties, those that hold names of pictures. */
export function imageProperties(properties: readonly string[]): readonly string[] {
  return properties.filter((property) => IMAGE_PROPERTIES.has(property))
}
