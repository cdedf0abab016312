import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { sitePage } from '#server/db/schema/index.ts'
import type { SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import { isHiddenAddress } from '#shared/domain/built-in-pages.ts'
import { inOwnWords, pluralOf, wordsOfTitle } from '#shared/domain/own-words.ts'
import { portalAddressOf } from '#shared/domain/page-addresses.ts'
import { pageOfTarget, parseLinks } from '#shared/domain/site-links.ts'
import {
  buttonLabelDefaults,
  navigationDefaults,
  type Publication,
  type SiteLink,
  tabLedeDefaults,
  tabTitleDefaults,
} from '#shared/publication-defaults.ts'

/** Where a published page is read: by visitors, and by members in the portal. */
export type PageAddresses = { visitors: string; members: string }

/** The addresses of all published pages, by id. Visitors of a page for members are led to the portal, which asks them to sign in. */
export async function readPageAddresses(db: Db | Tx): Promise<ReadonlyMap<string, PageAddresses>> {
  const rows = await db
    .select({ id: sitePage.id, path: sitePage.path, audience: sitePage.audience })
    .from(sitePage)
    .where(sql`${sitePage.publishedAt} is not null`)
  return new Map(
    rows.map(({ id, path, audience }) => {
      const members = portalAddressOf(path)
      return [id, { visitors: audience === 'everyone' ? `/${path}` : members, members }]
    }),
  )
}

/** Changes with every saved or deleted page. */
export async function readPagesVersion(db: Db | Tx): Promise<string> {
  const [row] = await db
    .select({
      version: sql<string>`count(*) || ' ' || coalesce(sum(${sitePage.version}), 0) || ' ' || coalesce(max(${sitePage.updatedAt})::text, '')`,
    })
    .from(sitePage)
  return row?.version ?? ''
}

type Hidden = Publication['hiddenPages']
type Pages = ReadonlyMap<string, PageAddresses>

/** Links to drafts and deleted pages are left out. */
const readLinks = (text: string, pages: Pages, reader: keyof PageAddresses): SiteLink[] =>
  parseLinks(text).flatMap(({ target, label }) => {
    const page = pageOfTarget(target)
    const href = page ? pages.get(page)?.[reader] : target
    return href ? [{ label, href }] : []
  })

/** Composes the navigation with these values of the group `navigation`. */
export function composeNavigation(
  values: SettingValues,
  pages: Pages,
  hiddenPages: Hidden = [],
): Pick<Publication, 'navigation' | 'tabTitles' | 'tabLedes' | 'words' | 'labels'> {
  const own = new Set([...pages.values()].flatMap(({ visitors, members }) => [visitors, members]))
  const isShown = ({ href }: SiteLink) => own.has(href) || !isHiddenAddress({ hiddenPages }, href)
  // An unchanged list stays the same object, which tells that it is the default.
  const withoutHidden = (links: readonly SiteLink[]) => (links.every(isShown) ? links : links.filter(isShown))
  const listOf = (name: string, initial: readonly SiteLink[], reader: keyof PageAddresses) => {
    const text = values[name]
    return withoutHidden(text === undefined ? initial : readLinks(text, pages, reader))
  }
  const tabs = listOf('tabs', navigationDefaults.tabs, 'members')
  const titles = titlesOf(tabs)
  const { 'word.drop': drop, 'word.drops': drops } = values
  const words = { ...wordsOfTitle(titles['weekly-drops']), ...(drop && { drop, drops: drops || pluralOf(drop) }) }
  const first = tabs.find(({ href }) => href.startsWith('/portal/'))
  return {
    navigation: {
      tabs,
      home: first ? { label: first.label.toLowerCase(), href: first.href } : navigationDefaults.home,
      header: values.header === undefined ? null : listOf('header', [], 'visitors'),
      footer: listOf('footer', linksInWords(navigationDefaults.footer, { words }), 'visitors'),
      members: listOf('members', navigationDefaults.members, 'members'),
    },
    tabTitles: titles,
    tabLedes: textsOf('lede', tabLedeDefaults, values),
    words,
    labels: textsOf('label', buttonLabelDefaults, values),
  }
}

/** Default links in the publisher's words; the same list if nothing changes. */
export function linksInWords(links: readonly SiteLink[], worded: Pick<Publication, 'words'>): readonly SiteLink[] {
  const own = links.map((link) => ({ ...link, label: inOwnWords(worded, link.label) }))
  return own.every(({ label }, at) => label === links[at]?.label) ? links : own
}

/** Texts by name, from settings such as `label.signIn`. */
const textsOf = <Name extends string>(prefix: string, initial: Readonly<Record<Name, string>>, values: SettingValues) =>
  Object.fromEntries(
    Object.entries<string>(initial).map(([name, text]) => [name, values[`${prefix}.${name}`] ?? text]),
  ) as Record<Name, string>

/** A renamed tab's name is the title of its page. */
const titlesOf = (tabs: readonly SiteLink[]) =>
  Object.fromEntries(
    Object.entries(tabTitleDefaults).map(([name, title]) => {
      const href = `/portal/${name}`
      const label = tabs.find((tab) => tab.href === href)?.label
      const initial = navigationDefaults.tabs.find((tab) => tab.href === href)?.label
      return [name, label === undefined || label === initial ? title : label]
    }),
  ) as Publication['tabTitles']
