/** A small file of painters, and a knowledge base in which some are clear, some doubtful, some missing. */

export const paintersCsv = `id,name,other names,born,died,nationality,remark
k1,Judith Leyster,,1609,1660,Netherlands,
k2,Jan Steen,,,,Netherlands,
k3,Jan van Goyen,"Goyen, Jan van",1596,,Netherlands,
k4,P. de Hooch,,,,Netherlands,signed
k5,Jan Brueghel,,,,Belgium,son?
k6,Clara Peters,,1589,,,
k7,Maria van Oosterwyck,,1630,1693,Netherlands,
k8,Willem van de Velde,,,,,
k9,Gerard ter Borch,Gerard Terborch,,,Netherlands,
k10,Frans Hals,,,,Netherlands,copy
k11,David Teniers,,,,,
k12,R. Ruysch,,1664,,,
k13,Jacob van Ruysdael,,1628,1682,Netherlands,
k14,Anonymous,,,,,unsigned
k15,Jan Weenix,,1640,1719,Netherlands,
`

interface Painter {
  readonly qid: string
  readonly label: string
  readonly description: string
  readonly aliases?: readonly string[]
  readonly born?: string
  readonly died?: string
  readonly from?: 'Netherlands' | 'Belgium' | 'Germany'
}

const countries = { Netherlands: 'Q29999', Belgium: 'Q31', Germany: 'Q183' } as const

// Numbers and facts as Wikidata has them, shortened; the doubtful ones have a namesake beside them.
const painters: readonly Painter[] = [
  {
    qid: 'Q232423',
    label: 'Judith Leyster',
    description: 'Dutch painter',
    born: '1609',
    died: '1660',
    from: 'Netherlands',
  },
  {
    qid: 'Q205863',
    label: 'Jan Steen',
    description: 'Dutch genre painter',
    born: '1626',
    died: '1679',
    from: 'Netherlands',
  },
  {
    qid: 'Q1000001',
    label: 'Jan Steen',
    description: 'Dutch footballer',
    born: '1951',
    from: 'Netherlands',
  },
  {
    qid: 'Q330848',
    label: 'Jan van Goyen',
    description: 'Dutch landscape painter',
    born: '1596',
    died: '1656',
    from: 'Netherlands',
  },
  {
    qid: 'Q314548',
    label: 'Pieter de Hooch',
    description: 'Dutch genre painter',
    aliases: ['Pieter de Hoogh', 'Pieter de Hooghe'],
    born: '1629',
    died: '1684',
    from: 'Netherlands',
  },
  {
    qid: 'Q209050',
    label: 'Jan Brueghel the Elder',
    description: 'Flemish painter',
    aliases: ['Jan Brueghel'],
    born: '1568',
    died: '1625',
    from: 'Belgium',
  },
  {
    qid: 'Q356886',
    label: 'Jan Brueghel the Younger',
    description: 'Flemish painter, son of the elder',
    aliases: ['Jan Brueghel II', 'Jan Brueghel'],
    born: '1601',
    died: '1678',
    from: 'Belgium',
  },
  {
    qid: 'Q234443',
    label: 'Clara Peeters',
    description: 'Flemish painter of still lifes',
    born: '1594',
    from: 'Belgium',
  },
  {
    qid: 'Q271697',
    label: 'Maria van Oosterwijck',
    description: 'Dutch flower painter',
    born: '1630',
    died: '1693',
    from: 'Netherlands',
  },
  {
    qid: 'Q553273',
    label: 'Willem van de Velde the Elder',
    description: 'Dutch marine painter',
    aliases: ['Willem van de Velde'],
    born: '1611',
    died: '1693',
    from: 'Netherlands',
  },
  {
    qid: 'Q371869',
    label: 'Willem van de Velde the Younger',
    description: 'Dutch marine painter',
    aliases: ['Willem van de Velde', 'Willem van de Velde II'],
    born: '1633',
    died: '1707',
    from: 'Netherlands',
  },
  {
    qid: 'Q353539',
    label: 'Gerard ter Borch',
    description: 'Dutch genre painter',
    aliases: ['Gerard Terborch'],
    born: '1617',
    died: '1681',
    from: 'Netherlands',
  },
  {
    qid: 'Q1000002',
    label: 'Gerard ter Borch the Elder',
    description: 'Dutch draughtsman',
    aliases: ['Gerard ter Borch'],
    born: '1582',
    died: '1662',
    from: 'Netherlands',
  },
  {
    qid: 'Q167654',
    label: 'Frans Hals',
    description: 'Dutch portrait painter',
    born: '1582',
    died: '1666',
    from: 'Netherlands',
  },
  {
    qid: 'Q1000003',
    label: 'Frans Hals the Younger',
    description: 'Dutch painter',
    aliases: ['Frans Hals'],
    born: '1618',
    died: '1669',
    from: 'Netherlands',
  },
  {
    qid: 'Q335022',
    label: 'David Teniers the Younger',
    description: 'Flemish painter',
    aliases: ['David Teniers', 'David Teniers II'],
    born: '1610',
    died: '1690',
    from: 'Belgium',
  },
  {
    qid: 'Q1000004',
    label: 'David Teniers the Elder',
    description: 'Flemish painter',
    aliases: ['David Teniers', 'David Teniers I'],
    born: '1582',
    died: '1649',
    from: 'Belgium',
  },
  {
    qid: 'Q234427',
    label: 'Rachel Ruysch',
    description: 'Dutch flower painter',
    born: '1664',
    died: '1750',
    from: 'Netherlands',
  },
  {
    qid: 'Q213612',
    label: 'Jacob van Ruisdael',
    description: 'Dutch landscape painter',
    aliases: ['Jacob Isaackszoon van Ruisdael'],
    born: '1628',
    died: '1682',
    from: 'Netherlands',
  },
  {
    qid: 'Q1000005',
    label: 'Jacob van Ruysdael',
    description: 'Dutch painter, nephew of Salomon',
    born: '1630',
    died: '1681',
    from: 'Netherlands',
  },
]

/** The knowledge base, as `serve-kb` reads it. */
export function paintersKb(): string {
  return painters
    .map(({ qid, label, description, aliases = [], born, died, from }) =>
      JSON.stringify({
        qid,
        label,
        description,
        aliases,
        types: ['Q5'],
        properties: {
          ...(born === undefined ? {} : { P569: [born] }),
          ...(died === undefined ? {} : { P570: [died] }),
          ...(from === undefined ? {} : { P27: [{ id: countries[from], name: from }] }),
        },
      }),
    )
    .join('\n')
}
