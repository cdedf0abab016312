import type { ContentFiles } from './content-files.ts'

type Path = (string | number)[]
/** A figure, price, law or date that someone outside can change. `source` is null if none is given. */
export type Fact = { file: string; path: Path; fact: string; source: string | null; opened: string | null }

const laws =
  /\b(?:HB|SB|AB) ?\d+|\bLocal Law \d+|\b\d+ CFR\b|§ ?\d+|\b(?:TCPA|FLSA|CAN-SPAM|ADA|FCRA|CCPA|FCC|IRS|EEOC|W-2s?|1099)\b|\bFranchise Rule\b|\b(?:[A-Z][a-z]+ )+Act\b/g
const vendors =
  /ChatGPT|OpenAI|Gemini|Google|Copilot|Microsoft|Claude|DoorDash|Uber|Yelp|Homebase|NiceJob|PieLine|Birdeye|Jobber|7shifts|Zapier|Canva|NotebookLM|Square/
const prices = /\$\d[\d,]*(?:\.\d+)?/g
const months =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \d+,)? 20\d\d/g
const isAboutRule = /\blaws?\b|\brules?\b|\bpolicy\b|\bcourt\b/i
/** When we read something, not when it happened. */
const readOn = /(?:read|opened|stored|cop(?:y|ies))[^.]*?\b[A-Z][a-z]+ \d+, 20\d\d/g

const blank = (text: string) => ' '.repeat(text.length)
/** Words to say or copy, and prompts, state nothing. Keeps the length. */
const withoutQuotations = (text: string) =>
  text
    .replaceAll(/^\s*>.*$/gm, blank)
    .replaceAll(/“[^”]*”/g, blank)
    .replaceAll(readOn, blank)

type Found = { fact: string; link: string | null }

/** The link that ends closest behind the fact, or else the last one before it. */
function closestLink(text: string, at: number): string | null {
  const links = [...text.matchAll(/\]\((https:[^)\s]+)\)/g)]
  return (links.find(({ index }) => index >= at) ?? links.at(-1))?.[1] ?? null
}

/** What a text states about laws, vendors' prices, and dates of either, with the link of its paragraph. */
const factsIn = (text: string): Found[] =>
  text.split(/\n\s*\n/).flatMap((paragraph) => {
    const stated = withoutQuotations(paragraph)
    const isAboutVendor = vendors.test(stated)
    return [
      ...stated.matchAll(laws),
      ...(isAboutVendor ? stated.matchAll(prices) : []),
      ...(isAboutVendor || isAboutRule.test(stated) ? stated.matchAll(months) : []),
    ].map(({ 0: fact, index }) => ({ fact, link: closestLink(paragraph, index) }))
  })

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []

/** All such facts of drops, prompts, tools, pages and guides, each with its source. A row of a table is a fact as a whole. */
export function listFacts(content: ContentFiles): Fact[] {
  const { drops, categories, guides, guideTexts, tools, pages, sourcedPages, cases, sources } = content
  const sourceOf = (at: string, fact: string) => sources.find((entry) => entry.at === at && entry.facts.includes(fact))
  /** @param anyLink of the section or drop, for a paragraph without a link */
  const listed = (
    file: string,
    path: Path,
    at: string,
    found: readonly Found[],
    anyLink: string | null = null,
  ): Fact[] =>
    [...new Map(found.map((each) => [each.fact, each.link]))].map(([fact, link]) => {
      const entry = sourceOf(at, fact)
      const source = link ?? entry?.source ?? anyLink
      return { file, path, fact, source, opened: entry?.opened ?? null }
    })
  return [
    ...drops.flatMap(({ slug, title, preview, worth, intro, closing, checkedOn, sections }) => {
      const file = `drops/${slug}.yaml`
      const anyLink = closestLink(sections.map(({ body }) => body).join('\n'), 0)
      return [
        ...listed(file, [], slug, [title, preview, worth, intro, closing].flatMap(factsIn), anyLink),
        ...sections.flatMap(({ id, heading, summary, body }, index) =>
          listed(
            file,
            ['sections', index],
            `${slug}#${id}`,
            [heading, summary, body].flatMap(factsIn),
            closestLink(body, 0),
          ),
        ),
      ].map((fact) => ({ ...fact, opened: fact.opened ?? checkedOn }))
    }),
    ...categories.flatMap(({ key, prompts }) =>
      prompts.flatMap(({ id, when, checks }, index) =>
        listed(`prompts/${key}.yaml`, ['prompts', index], id, [when, ...checks].flatMap(factsIn)),
      ),
    ),
    ...tools.flatMap((tool, index) => {
      const texts = [tool.verdict, tool.description, ...tool.watchOut, ...Object.values(tool.criteria), tool.priceNote]
      const figures = texts.flatMap((text) => text.match(prices) ?? []).map((fact) => ({ fact, link: null }))
      return listed('tools.yaml', [index], tool.id, [...figures, ...texts.flatMap(factsIn)])
    }),
    ...guides.flatMap((guide, index) => {
      // The filled annex of the policy is an invented example.
      const [text = ''] = (guideTexts.get(guide.file) ?? '').split('Annex B. A filled example')
      const texts = [...textsIn(guide), text]
      return listed('guides.yaml', [index], guide.id, texts.flatMap(factsIn))
    }),
    ...Object.entries({ ...pages, cases }).flatMap(([id, page]) =>
      listed(`${id}.yaml`, [], id, textsIn(page).flatMap(factsIn)),
    ),
    ...Object.entries(sourcedPages).flatMap(([id, { groups, checkedOn, intro }]) => [
      ...listed(`${id}.yaml`, ['intro'], id, factsIn(intro)),
      ...groups.flatMap(({ rows }, group) =>
        rows.map(({ name, text, source, checkedOn: opened = checkedOn }, row) => {
          return { file: `${id}.yaml`, path: ['groups', group, 'rows', row], fact: `${name}: ${text}`, source, opened }
        }),
      ),
    ]),
  ]
}

/** Facts of sources.yaml that their item doesn't contain. */
export function listUnusedSources(content: ContentFiles): { index: number; fact: string }[] {
  const { drops, categories, guides, guideTexts, tools, pages, cases, sources } = content
  const texts = new Map<string, string>([
    ...drops.flatMap(({ slug, sections, ...rest }): [string, string][] => [
      [slug, JSON.stringify(rest)],
      ...sections.map((section): [string, string] => [`${slug}#${section.id}`, JSON.stringify(section)]),
    ]),
    ...[...categories.flatMap(({ prompts }) => prompts), ...tools].map((item): [string, string] => [
      item.id,
      JSON.stringify(item),
    ]),
    ...guides.map((guide): [string, string] => [guide.id, JSON.stringify(guide) + guideTexts.get(guide.file)]),
    ...Object.entries({ ...pages, cases }).map(([id, page]): [string, string] => [id, JSON.stringify(page)]),
  ])
  return sources.flatMap(({ at, facts }, index) =>
    facts.filter((fact) => !texts.get(at)?.includes(fact)).map((fact) => ({ index, fact })),
  )
}
