/**
 * Which countries a text speaks of, by the English names and adjectives that Wikidata descriptions use
 * (`Japanese supermarket chain`, `bank in Ghana`). Codes are ISO 3166-1 alpha-2.
 */

// code: name, adjective, …; the longest phrase wins, so that "South African" is not "African" and Niger not Nigeria.
const TABLE = `AD andorra,andorran;AE united arab emirates,emirati,uae,dubai,abu dhabi;AF afghanistan,afghan;AG antigua and barbuda;AL albania,albanian;AM armenia,armenian;AO angola,angolan;AR argentina,argentine,argentinian,argentinean;AT austria,austrian;AU australia,australian;AW aruba;AZ azerbaijan,azerbaijani;BA bosnia and herzegovina,bosnia & herzegovina,bosnian;BB barbados,barbadian;BD bangladesh,bangladeshi;BE belgium,belgian;BF burkina faso,burkinabe;BG bulgaria,bulgarian;BH bahrain,bahraini;BI burundi;BJ benin,beninese;BN brunei,brunei darussalam,bruneian;BO bolivia,bolivian;BR brazil,brazilian;BS bahamas,bahamian;BT bhutan,bhutanese;BW botswana;BY belarus,belarusian;BZ belize,belizean;CA canada,canadian,quebec,ontario;CD democratic republic of the congo;CF central african republic;CG republic of the congo;CH switzerland,swiss;CI ivory coast,ivorian,cote d ivoire;CL chile,chilean;CM cameroon,cameroonian;CN china,chinese,people s republic of china;CO colombia,colombian;CR costa rica,costa rican;CU cuba,cuban;CV cape verde,cabo verde,cape verdean;CW curacao;CY cyprus,cypriot;CZ czech republic,czechia,czech;DE germany,german;DJ djibouti;DK denmark,danish;DO dominican republic,dominican;DZ algeria,algerian;EC ecuador,ecuadorian;EE estonia,estonian;EG egypt,egyptian;ER eritrea;ES spain,spanish,catalan,basque;ET ethiopia,ethiopian;FI finland,finnish;FJ fiji,fijian;FO faroe islands,faroese;FR france,french;GA gabon,gabonese;GB united kingdom,british,uk,england,english,scotland,scottish,wales,welsh,northern ireland,great britain;GE georgian;GH ghana,ghanaian;GI gibraltar;GL greenland;GM gambia,gambian;GN guinean;GP guadeloupe;GQ equatorial guinea;GR greece,greek;GT guatemala,guatemalan;GY guyana,guyanese;HK hong kong;HN honduras,honduran;HR croatia,croatian;HT haiti,haitian;HU hungary,hungarian;ID indonesia,indonesian;IE ireland,irish;IL israel,israeli;IM isle of man,manx;IN india,indian;IQ iraq,iraqi;IR iran,iranian;IS iceland,icelandic;IT italy,italian;JE jersey;JM jamaica,jamaican;JO jordanian;JP japan,japanese;KE kenya,kenyan;KG kyrgyzstan,kyrgyz;KH cambodia,cambodian;KP democratic people s republic of korea,korea democratic people s republic of,north korea,north korean;KR republic of korea,korea republic of,south korea,south korean,korean;KW kuwait,kuwaiti;KZ kazakhstan,kazakh,kazakhstani;LA laos,lao people s democratic republic,lao,laotian;LB lebanon,lebanese;LI liechtenstein;LK sri lanka,sri lankan;LR liberia,liberian;LS lesotho;LT lithuania,lithuanian;LU luxembourg,luxembourgish;LV latvia,latvian;LY libya,libyan;MA morocco,moroccan;MC monaco;MD moldova,moldovan;ME montenegro,montenegrin;MG madagascar,malagasy;MK north macedonia,macedonian,macedonia;ML malian;MM myanmar,burmese;MN mongolia,mongolian;MO macau,macao;MR mauritania;MT malta,maltese;MU mauritius,mauritian;MV maldives,maldivian;MW malawi,malawian;MX mexico,mexican;MY malaysia,malaysian;MZ mozambique,mozambican;NA namibia,namibian;NC new caledonia;NE nigerien;NG nigeria,nigerian;NI nicaragua,nicaraguan;NL netherlands,dutch;NO norway,norwegian;NP nepal,nepalese,nepali;NZ new zealand;OM oman,omani;PA panama,panamanian;PE peru,peruvian;PG papua new guinea;PH philippines,philippine,filipino;PK pakistan,pakistani;PL poland,polish;PR puerto rico,puerto rican;PS palestine,palestinian;PT portugal,portuguese;PY paraguay,paraguayan;QA qatar,qatari;RE reunion island;RO romania,romanian;RS serbia,serbian;RU russia,russian;RW rwanda,rwandan;SA saudi arabia,saudi arabian,saudi;SC seychelles;SD sudan,sudanese;SE sweden,swedish;SG singapore,singaporean;SI slovenia,slovenian,slovene;SK slovakia,slovak;SL sierra leone;SN senegal,senegalese;SO somalia,somali;SR suriname,surinamese;SV el salvador,salvadoran;SY syria,syrian;TD chadian;TG togo,togolese;TH thailand,thai;TJ tajikistan,tajik;TM turkmenistan;TN tunisia,tunisian;TR turkey,turkiye,turkish;TT trinidad and tobago,trinidad & tobago,trinidadian;TW taiwan,taiwanese;TZ tanzania,tanzanian;UA ukraine,ukrainian;UG uganda,ugandan;US united states,american,united states of america,usa,us,u s,california,texas,florida,new york,ohio,michigan,pennsylvania,illinois,hawaii,puget sound,midwestern,new jersey,new mexico,new england,alaska,wisconsin,minnesota,missouri,tennessee,louisiana,virginia,colorado,arizona,oregon,washington state,massachusetts,maryland,indiana,iowa,kansas,nebraska,utah,north carolina,south carolina,alabama,oklahoma,kentucky;UY uruguay,uruguayan;UZ uzbekistan,uzbek;VE venezuela,venezuelan;VN vietnam,viet nam,vietnamese;YE yemen,yemeni;ZA south africa,south african;ZM zambia,zambian;ZW zimbabwe,zimbabwean`

const codeByPhrase = new Map(
  TABLE.split(';').flatMap((line) => {
    const code = line.slice(0, 2)
    return line
      .slice(3)
      .split(',')
      .map((phrase) => [phrase, code] as const)
  }),
)
const LONGEST_PHRASE_WORDS = 6

/**
 * Country codes a text names, without repeats.
 * @param words the text in lower case without marks and punctuation (form C of a name), split at spaces
 */
export function countriesIn(words: readonly string[]): ReadonlySet<string> {
  const codes = new Set<string>()
  for (let at = 0; at < words.length;) {
    let taken = 1
    for (let length = Math.min(LONGEST_PHRASE_WORDS, words.length - at); length > 0; length -= 1) {
      const code = codeByPhrase.get(words.slice(at, at + length).join(' '))
      if (code !== undefined) {
        codes.add(code)
        taken = length
        break
      }
    }
    at += taken
  }
  return codes
}

/** The country that one word in lower case without marks names: `us`, `ghana`, `ohio`; undefined for any other. */
export function countryOfWord(word: string): string | undefined {
  return codeByPhrase.get(word)
}
