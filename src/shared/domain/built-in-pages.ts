/** Pages that come with the product, with their addresses for visitors and in the portal. */
export const builtInPages = {
  glossary: { label: 'Glossary', hrefs: ['/glossary', '/portal/glossary'] },
  safety: { label: 'Safety rules', hrefs: ['/safety', '/portal/safety'] },
  method: { label: 'How we choose', hrefs: ['/method', '/portal/method'] },
  deadlines: { label: 'Deadlines', hrefs: ['/portal/deadlines'] },
  'start-here': { label: 'Start here', hrefs: ['/portal/start-here'] },
  editor: { label: 'Editor', hrefs: ['/portal/editor'] },
  corrections: { label: 'Corrections', hrefs: ['/portal/corrections'] },
  about: { label: 'About', hrefs: ['/about'] },
} as const satisfies Record<string, { label: string; hrefs: readonly string[] }>

export type BuiltInPage = keyof typeof builtInPages

// Marked, so that browsers get only what they use of this file.
export const builtInPageNames = /* @__PURE__ */ Object.keys(builtInPages) as BuiltInPage[]

type Hidden = { hiddenPages: readonly BuiltInPage[] }

/** Pages, emails and lists don't offer what the publisher hides. */
export const hasPage = ({ hiddenPages }: Hidden, page: BuiltInPage): boolean => !hiddenPages.includes(page)

/** True for an address of a hidden page, with or without a fragment. */
export const isHiddenAddress = ({ hiddenPages }: Hidden, href: string): boolean =>
  hiddenPages.some((page) => builtInPages[page].hrefs.some((address) => address === href.replace(/[#?].*/, '')))
