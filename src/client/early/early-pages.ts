/** Name and input of a product call. The input is written as the contract parses it. */
export type EarlyCall = readonly [name: string, input: object]

export type EarlyPage = {
  path: RegExp
  /** Modules of the page, below client/app/routes. Their chunks load in parallel with the entry. */
  modules: readonly string[]
  /** Calls with so much content that they would delay the entry: they start when the entry is about to be here. */
  largeCalls?: readonly string[]
  /** Requests of the page's loader. */
  calls: (match: RegExpExecArray, hash: string) => EarlyCall[]
}

const marks = (scope: object): EarlyCall => ['item-marks', { scope }]
const preferences: EarlyCall = ['get-preferences', {}]
const profile: EarlyCall = ['business-profile', {}]
const personalize = (contentType: string): EarlyCall => ['personalize-content', { contentType }]

/** Pages that members open most. A page that isn't listed works, and starts its requests later. */
export const earlyPages: readonly EarlyPage[] = [
  {
    path: /^\/portal(\/weekly-drops)?$/,
    modules: ['portal/weekly-drops.tsx'],
    calls: () => [['weekly-drops', {}], personalize('weekly-drops'), marks({ kind: 'issues' })],
  },
  {
    path: /^\/portal\/weekly-drops\/([^/]+)$/,
    modules: ['portal/weekly-drop.tsx'],
    calls: ([, slug = '']) => [['weekly-drop', { slug }], preferences, marks({ kind: 'issue', slug }), profile],
  },
  {
    path: /^\/portal\/prompt-packs$/,
    modules: ['portal/prompt-packs.tsx'],
    largeCalls: ['prompt-samples', 'prompt-packs'],
    calls: (_match, hash) => [
      [hash ? 'prompt-packs' : 'prompt-samples', {}],
      personalize('prompt-packs'),
      preferences,
      marks({ kind: 'prompts' }),
      profile,
    ],
  },
  {
    path: /^\/portal\/guides$/,
    modules: ['portal/guides.tsx'],
    calls: () => [['guides', {}], marks({ kind: 'guides' })],
  },
  {
    path: /^\/portal\/tools$/,
    modules: ['portal/tools.tsx'],
    calls: () => [['tools', {}], marks({ kind: 'tools' })],
  },
  { path: /^\/account(\/profile)?$/, modules: ['account/layout.tsx', 'account/profile.tsx'], calls: () => [] },
  { path: /^\/account\/security$/, modules: ['account/layout.tsx', 'account/security.tsx'], calls: () => [] },
  { path: /^\/account\/billing$/, modules: ['account/layout.tsx', 'account/billing.tsx'], calls: () => [] },
]

/** The page of an address, and the calls that it makes. */
export function findEarlyPage(pathname: string, hash: string): { page: EarlyPage; calls: EarlyCall[] } | null {
  const path = pathname.replace(/\/+$/, '')
  for (const page of earlyPages) {
    const match = page.path.exec(path)
    if (match) return { page, calls: page.calls(match, hash) }
  }
  return null
}
