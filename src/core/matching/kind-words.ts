/**
 * What a description says when an entity is of a category. A category is a path such as OpenStreetMap's
 * `shop/supermarket` (or `shop=supermarket`) or plain words; its own last words always count, and common ones have companions.
 */
import { nameForms } from '../names/normalize-name.ts'

// category words: words in English descriptions that mean the same kind.
const COMPANIONS = `fuel: gas, petrol, filling, gasoline, petroleum, oil, energy, service station
fast food: restaurant, burger, hamburger, pizza, chicken, sandwich, food, coffee, doughnut, donut, kebab, fried, taco, pizzeria
restaurant: steakhouse, pizza, diner, buffet, grill, burger, dining, food, bakery, fast, sushi, ramen, pub
cafe: coffee, coffeehouse, tea, bubble, bakery, coffeeshop
ice cream: frozen, yogurt, gelato, dairy, dessert
bank: banking, credit union, financial, finance, savings, cooperative, cooperatives, caisse
atm: bank, banking, cash
bureau de change: currency, exchange, financial, money
money transfer: financial, remittance, payment, money
payment terminal: payment, financial
pharmacy: drugstore, pharmacies, pharmaceutical, drug, chemist
chemist: drugstore, pharmacy, drug, cosmetics, health, beauty
supermarket: grocery, hypermarket, supermarkets, retailer, retail, food, discount, cooperative, grocer, market
convenience: grocery, store, kiosk, supermarket, retailer, retail, minimarket, gas
department store: retailer, retail, departmental, hypermarket, shopping
variety store: discount, retailer, retail, dollar, variety, discounter, household
clothes: clothing, fashion, apparel, lingerie, garment, menswear, womenswear, jeans, underwear, wear, retailer, denim, textile, luxury
shoes: footwear, shoe, sneaker, boot, sportswear
jewelry: jewellery, jeweler, jeweller, luxury, watch, watches
watches: watch, watchmaker, luxury, jewellery
bag: luggage, handbag, leather, fashion, luxury
fashion accessories: fashion, accessories, luxury, jewellery
furniture: furnishing, furnishings, home, kitchen, mattress, interior, bed
bed: mattress, mattresses, bedding, furniture, sleep
kitchen: furniture, kitchens, cookware
interior decoration: home, furniture, decoration, decor
houseware: household, home, kitchenware, homeware
electronics: electronic, consumer, appliance, computer, technology, retailer, home
computer: electronics, technology, computers
appliance: electronics, electrical, home, household
mobile phone: telecommunications, telecom, mobile, wireless, phone, telephone, cellular, electronics, operator
telecommunication: telecommunications, telecom, mobile, internet, broadband
car: automobile, automotive, vehicle, carmaker, motor, cars, manufacturer, marque
car repair: automotive, automobile, auto, tire, tyre, vehicle, car, maintenance
car parts: automotive, auto, automobile, vehicle
car rental: rental, car, vehicle, rent, hire
car sharing: carsharing, car, sharing, rental
car wash: carwash, car, wash
charging station: charging, electric, energy, vehicle, electricity, charger
motorcycle: motorcycle, motorcycles, scooter, manufacturer
truck: truck, trucks, vehicle, commercial, manufacturer
tyres: tire, tyre, tires, automotive
bicycle: bicycle, bike, cycling, bicycles
bicycle rental: bike, bicycle, sharing, bikeshare
doityourself: diy, home, improvement, hardware, building
hardware: diy, home, improvement, tool, building, tools
trade: building, supply, wholesale, materials, plumbing, merchant, distributor
wholesale: wholesaler, cash, carry, warehouse
garden centre: garden, gardening, nursery, plant
agrarian: agricultural, agriculture, farm, farming, cooperative
paint: paints, coating, coatings
beauty: cosmetics, beauty, skin, spa, salon, hair
cosmetics: beauty, cosmetic, skincare, perfume, makeup
perfumery: perfume, cosmetics, beauty, fragrance
hairdresser: hair, salon, haircut, hairdressing
optician: eyewear, optical, glasses, eyeglasses, optics
hearing aids: hearing, audiology
medical supply: medical, health, healthcare
nutrition supplements: vitamin, nutrition, supplement, health
herbalist: herbal, medicine, health
books: book, bookstore, bookseller, bookshop, publisher
stationery: office, paper, stationer, supplies
newsagent: news, newspaper, kiosk, books, press, magazine
copyshop: printing, copy, print
toys: toy, games, children
games: game, gaming, miniature
video games: game, gaming, video
baby goods: baby, maternity, children
pet: pets, animal, veterinary
pet grooming: pet, dog
sports: sport, sporting, sportswear, athletic, goods
outdoor: camping, outdoors, clothing, recreation
craft: arts, crafts, hobby
fabric: fabrics, textile, sewing
bakery: baker, bakeries, bread, bakeshop, pastry, confectionery, food, cafe
pastry: bakery, patisserie, confectionery, cake
confectionery: candy, chocolate, chocolatier, sweets, confectioner
chocolate: chocolatier, confectionery, candy
butcher: meat, butchers, food
seafood: fish, food
frozen food: frozen, food
tea: teas, bubble
coffee: coffeehouse, roaster
alcohol: liquor, wine, beverage, spirits, drinks, off licence
wine: wines, liquor
beverages: drinks, beverage
tobacco: tobacconist, cigar, cigarette
e cigarette: vape, cigarette, electronic
cannabis: marijuana, dispensary
charity: charitable, thrift, nonprofit, hospice, second hand
second hand: thrift, used, charity
pawnbroker: pawn, pawnshop, financial
money lender: loan, loans, financial, lending, credit
insurance: insurer, mutual, financial, assurance
tax advisor: tax, accounting
financial advisor: financial, investment, brokerage
estate agent: real estate, realty, property, brokerage
travel agency: travel, tour, tourism, tourist
employment agency: staffing, employment, recruitment, temporary
courier: delivery, parcel, logistics, package, express, shipping
post office: postal, post, mail, courier, delivery
parcel locker: parcel, delivery, logistics, courier, locker, postal, post
post box: postal, post, mail
storage rental: storage, self storage, warehouse
hotel: hotels, motel, hospitality, lodging, resort, inn, resorts
motel: hotel, lodging
hostel: hostels, hotel, lodging
guest house: hotel, lodging
fitness centre: gym, fitness, health club, gyms, yoga
fitness: gym, health club, gyms
sports centre: trampoline, sport, recreation
bowling alley: bowling, entertainment
cinema: movie, theater, theatre, theatres, theaters, multiplex, film, cinemas
casino: gambling, gaming
bookmaker: betting, gambling, gaming
gambling: betting, bookmaker, lottery, casino
lottery: gambling, betting
nightclub: club, disco
pub: pubs, bar, brewery
bar: pub, bars
kindergarten: preschool, childcare, nursery, education, day care, child
childcare: preschool, day care, nursery, kindergarten, child
school: education, educational, schools, charter
language school: language, education
prep school: tutoring, education, cram, test
driving school: driving
college: education, university
clinic: health, healthcare, medical, urgent, hospital, hospitals
doctors: medical, health, healthcare
dentist: dental, orthodontic
hospital: health, healthcare, medical
laboratory: medical, diagnostic, blood, health, clinical
blood donation: blood, plasma
veterinary: pet, animal
nursing home: elderly, care, senior, retirement
social facility: care, elderly, charity, senior
laundry: laundromat, dry cleaning
dry cleaning: laundry, cleaners
locksmith: key, shoe
party: supplies
gift: gifts, souvenir, cards, novelty
florist: flower, flowers
photo: photography, photographic, camera
music: musical, records
musical instrument: music, instruments, guitar, piano
hifi: audio, electronics
vacuum cleaner: vacuum, appliance
vending machine: vending
coworking space: coworking, workspace, office
office: company
security: guard
moving company: moving, relocation
rental: equipment, hire, rent
tool hire: rental, equipment
truck rental: rental, moving
caravan: recreational, vehicle, camping
boat: boats, yacht
water: filtered, drinking
bus: transport, transit, transportation, coach, operator, route, public
train: railway, rail, transport, train, line, commuter, passenger
tram: transport, transit, light, rail, streetcar, public
light rail: transport, transit, tram, rail, public
subway: metro, transit, rapid, transport, rail, underground
ferry: ferry, shipping, boat, transport, maritime
transformer: electricity, electric, power, energy, grid, transmission, distribution, utility
substation: electricity, electric, power, energy, grid, transmission, distribution, utility
power: electricity, electric, energy, grid, transmission, distribution, utility
generator: electricity, electric, power, energy, utility, wind, solar
plant: electricity, power, energy, utility, water
line: electricity, power, transmission, railway
charge point: charging, electric, energy, vehicle, electricity
tower: telecommunications, telecom, mobile, radio, broadcasting, mast, broadcaster
mast: telecommunications, telecom, mobile, radio, broadcasting
monitoring station: agency, environmental, water, institute, monitoring
pipeline: gas, oil, energy, utility
protected area: park, nature, conservation, environmental, agency
police: police, law, enforcement, constabulary
fire station: fire, rescue, brigade
university: university, college, education, higher
library: library, public
museum: museum
government: government, agency, ministry, authority, department, administration
association: association, organization, nonprofit, club, union
foundation: foundation, nonprofit, charity
scout: scouting, scout, association, youth
club: association, club, organization
ngo: organization, nonprofit, charity
place of worship: church, religious, denomination
recycling: waste, recycling
prison: correctional, prison
parking: parking, garage
playground: playground, leisure
theme park: amusement, park`

const companionsOf = new Map(
  COMPANIONS.split('\n').map((line) => {
    const [category = '', words = ''] = line.split(': ')
    return [category, words.split(', ')] as const
  }),
)

// Say nothing of what kind a thing is.
const EMPTY_WORDS = new Set([
  'yes',
  'shop',
  'amenity',
  'chain',
  'brand',
  'company',
  'of',
  'in',
  'the',
  'and',
])

/** Words of which one in a description shows the category; empty for a blank category. */
export function kindWords(category: string): ReadonlySet<string> {
  const last = category.split(/[/=]/).at(-1) ?? ''
  const own = nameForms(last.replaceAll('_', ' ')).tokens
  const companions = companionsOf.get(own.join(' ')) ?? []
  const words = [...own, ...companions.flatMap((phrase) => phrase.split(' '))]
  return new Set(words.map(singular).filter((word) => !EMPTY_WORDS.has(word)))
}

/** Whether a description shows one of the words, in singular or plural. */
export function showsKind(words: readonly string[], kind: ReadonlySet<string>): boolean {
  return words.some((word) => kind.has(singular(word)))
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}
