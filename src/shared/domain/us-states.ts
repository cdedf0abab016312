const names = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
} as const

export type StateCode = keyof typeof names
export const stateCodes = Object.keys(names) as [StateCode, ...StateCode[]]
export const stateName = (code: StateCode): string => names[code]

/** Longest first, so that “West Virginia” isn’t Virginia. A city such as “Kansas City” names no state. */
const anyName = new RegExp(
  `\\b(${Object.values(names)
    .toSorted((a, b) => b.length - a.length)
    .join('|')})\\b(?! City\\b(?<!(?:New York|Oklahoma) City))`,
  'gi',
)
const isCode = (text: string): text is StateCode => Object.hasOwn(names, text)

/** States that a reader's text names, such as "IL", "Illinois, Wisconsin" or "Aurora, CO 80012". A code wins over names. */
export function statesIn(text: string): StateCode[] {
  const codes = [...text.matchAll(/(?:^|[,/;&]|\band\b)\s*([A-Z]{2})(?=$|[\s,/;&.])/g)].flatMap(([, code = '']) =>
    isCode(code) ? code : [],
  )
  if (codes.length > 0) return [...new Set(codes)]
  const found = [...text.matchAll(anyName)].map(([, name = '']) => name.toLowerCase())
  return stateCodes.filter((code) => found.includes(names[code].toLowerCase()))
}
