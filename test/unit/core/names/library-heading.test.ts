import { describe, expect, it } from 'vitest'
import { subordinateBody } from '../../../../src/core/names/corporate-heading.ts'
import { readLibraryHeading } from '../../../../src/core/names/library-heading.ts'

describe('a library heading', () => {
  it.each([
    ['Boudin, Eugène, 1824-1898, artist', 'Eugène Boudin', '1824', '1898'],
    ['Richardson, Sr., Jonathan', 'Jonathan Richardson Sr.', undefined, undefined],
    ['Jode I, Pieter de', 'Pieter de Jode I', undefined, undefined],
    ['Smith, Anna, b. 1950', 'Anna Smith', '1950', undefined],
    ['Rossi, Carlo, ca. 1580-', 'Carlo Rossi', '1580', undefined],
    ['King, Martin Luther, Jr., 1929-1968.', 'Martin Luther King Jr.', '1929', '1968'],
    ['Dumas, Alexandre, père, 1802-1870', 'Alexandre Dumas père', '1802', '1870'],
    ['Shakespeare, William, 1564?-1616', 'William Shakespeare', '1564', '1616'],
    ['Goes, Hugo van der, approximately 1440-1482', 'Hugo van der Goes', '1440', '1482'],
    ['Palmer, William, d. 1605', 'William Palmer', undefined, '1605'],
    ['Palmer, William, -1605', 'William Palmer', undefined, '1605'],
    ['Smith, John, 1824 or 1825-1898', 'John Smith', '1824', '1898'],
    ['Smith, John, 1950 Apr. 3-', 'John Smith', '1950', undefined],
    ['Smith, John, 1824 January 3-1898 December 1', 'John Smith', '1824', '1898'],
    ['Smith, John, born 1882', 'John Smith', '1882', undefined],
    ['Smith, John, active 1850-1870', 'John Smith', undefined, undefined],
    ['Smith, John, fl. 1850', 'John Smith', undefined, undefined],
    ['Smith, John, fl. ca. 1850-1870', 'John Smith', undefined, undefined],
    ['Joannes, Diaconus, active 12th century', 'Diaconus Joannes', undefined, undefined],
    ['Joannes, 16th cent.', 'Joannes', undefined, undefined],
    ['Aristotle, 384-322 B.C.', 'Aristotle', '-0384', '-0322'],
    ['Livy, 59 B.C.-17 A.D.', 'Livy', '-0059', '0017'],
    ['Virgil, 70-19 v. Chr.', 'Virgil', '-0070', '-0019'],
    ['Avicenna, 980-1037', 'Avicenna', '0980', '1037'],
    ['Michelangelo, 1475-1564, artist', 'Michelangelo', '1475', '1564'],
    ['Titian, painter', 'Titian', undefined, undefined],
    ['Scott, Walter, Sir, 1771-1832', 'Walter Scott', '1771', '1832'],
    ['John Paul II, Pope, 1920-2005', 'Pope John Paul II', '1920', '2005'],
    ['Victoria, Queen, 1819-1901', 'Queen Victoria', '1819', '1901'],
    ['Troubetskoy, Prince Paolo', 'Prince Paolo Troubetskoy', undefined, undefined],
    ['Louis XIV, King of France, 1638-1715', 'Louis XIV', '1638', '1715'],
    ['Augustine, Saint, Bishop of Hippo', 'Saint Augustine', undefined, undefined],
    ['Byron, George Gordon Byron, Baron, 1788-1824', 'George Gordon Byron', '1788', '1824'],
    ['Boudin, Eugène (1824-1898)', 'Eugène Boudin', '1824', '1898'],
    ['‡a Boudin, Eugène, ‡d 1824-1898, ‡e artist.', 'Eugène Boudin', '1824', '1898'],
    ['$aBoudin, Eugène,$d1824-1898,$eartist', 'Eugène Boudin', '1824', '1898'],
    ['‡a John Paul ‡b II, ‡c Pope, ‡d 1920-2005', 'Pope John Paul II', '1920', '2005'],
  ])('%s is %s in natural order', (text, name, born, died) => {
    expect(readLibraryHeading(text)).toMatchObject({ name, born, died })
  })

  it.each([
    ['Wells, H. G. (Herbert George), 1866-1946', 'H. G. Wells', 'Herbert George Wells'],
    ['‡a Eliot, T. S. ‡q (Thomas Stearns), ‡d 1888-1965', 'T. S. Eliot', 'Thomas Stearns Eliot'],
    ['Boudin, Eugène (1824-1898)', 'Eugène Boudin', undefined],
  ])('%s has a fuller name', (text, name, fullName) => {
    expect(readLibraryHeading(text)).toMatchObject({ name, fullName })
  })

  it.each([
    ['Boudin, Eugène, 1824-1898, artist', ['artist']],
    ['Boudin, Eugène, 1824-1898, artist, former owner.', ['artist', 'former owner']],
    ['Scott, Walter, Sir, 1771-1832', []],
  ])('%s keeps the roles apart', (text, roles) => {
    expect(readLibraryHeading(text)?.roles).toEqual(roles)
  })

  it.each(['Eugène Boudin', 'Boudin,', '', 'Boudin $100'])('%j is none', (text) => {
    expect(readLibraryHeading(text)).toBeNull()
  })
})

describe('a corporate heading', () => {
  it.each([
    ['United States. Department of State', ['Department of State']],
    ['France. Ministère de la culture. Direction des musées.', ['Direction des musées']],
    ['Catholic Church. Pope', []],
    ['St. Thomas Hospital', []],
    ['Dept. of Physics', []],
    ['J. P. Morgan Chase', []],
    ['Univ. Of Oxford', []],
    ['Department of State', []],
    ['Inst. of Physics, Kyiv. National Academy', []],
  ])('%s is asked by %j too', (name, bodies) => {
    expect(subordinateBody(name)).toEqual(bodies)
  })
})
