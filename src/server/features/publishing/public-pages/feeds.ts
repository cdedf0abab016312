import { html } from 'hono/html'
import type { Db } from '#server/db/database.ts'
import { formatList } from '#shared/domain/format.ts'
import { type Viewer, visitor } from '#shared/domain/open-sections.ts'
import { inOwnWords } from '#shared/domain/own-words.ts'
import { optionLabels } from '#shared/domain/preferences.ts'
import { storableText } from '#shared/domain/storable-text.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { closedSections, openTextOf } from './drop-pages.ts'
import { listDrops, type OpenDrop, readOpenDrop } from './open-drops.ts'
import { pathOfDrop, paths, withWholeAddresses } from './public-addresses.ts'

type Feed = { publication: Publication; origin: string; viewer: Viewer; items: Item[] }
type Item = Pick<OpenDrop, 'title' | 'preview' | 'publishedAt' | 'updatedAt'> & {
  link: string
  content: string
  tags: string[]
}

/** The newest drops with what `viewer` may read of them. */
export async function readFeed(
  db: Db,
  publication: Publication,
  origin: string,
  viewer: Viewer = visitor,
): Promise<Feed> {
  const { drops: listed } = await listDrops(db, {}, 1)
  const drops = await Promise.all(listed.map(({ slug }) => readOpenDrop(db, slug, viewer)))
  const items = drops
    .filter((drop) => drop !== null)
    .map(async (drop) => {
      const link = origin + pathOfDrop(drop.slug)
      const content = withWholeAddresses(String(await contentOf(publication, drop, link)), origin, link)
      return { ...drop, link, content, tags: optionLabels(publication, 'focusAreas', drop.tags) }
    })
  return { publication, origin, viewer, items: await Promise.all(items) }
}

/** Readers tell entries apart by id, across feeds too: those for members have more text, so they have ids of their own. */
const idOf = (address: string, { hasAccess }: Viewer) => (hasAccess ? `${address}#members` : address)

/** @param self the address of this feed */
export async function atomFeed({ publication, origin, viewer, items }: Feed, self: string): Promise<string> {
  // If there are no drops, use the Unix epoch: a feed must name a time, and an unchanged feed must not change.
  const updated = new Date(Math.max(0, ...items.map(({ updatedAt }) => updatedAt.getTime())))
  const feed = await html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${idOf(`${origin}/`, viewer)}</id>
  <title>${publication.name}</title>
  <subtitle>${publication.tagline}</subtitle>
  <updated>${updated.toISOString()}</updated>
  <author><name>${publication.name}</name><uri>${origin}/</uri></author>
  <link rel="alternate" type="text/html" href="${origin}${paths.drops}"/>
  <link rel="self" type="application/atom+xml" href="${self}"/>
${items.map(
  ({ title, link, preview, content, tags, publishedAt, updatedAt }) => html`  <entry>
    <id>${idOf(link, viewer)}</id>
    <title>${title}</title>
    <link rel="alternate" type="text/html" href="${link}"/>
    <published>${publishedAt.toISOString()}</published>
    <updated>${updatedAt.toISOString()}</updated>
    ${tags.map((tag) => html`<category term="${tag}" label="${tag}"/>`)}
    ${preview && html`<summary>${preview}</summary>`}
    <content type="html">${content}</content>
  </entry>
`,
)}</feed>
`
  return storableText(`<?xml version="1.0" encoding="utf-8"?>\n${feed}`)
}

export const jsonFeed = ({ publication, origin, items }: Feed): string =>
  JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: publication.name,
    home_page_url: origin + paths.drops,
    feed_url: origin + paths.jsonFeed,
    description: publication.tagline,
    language: 'en',
    authors: [{ name: publication.name, url: `${origin}/` }],
    items: items.map(({ title, link, preview, content, tags, publishedAt, updatedAt }) => ({
      id: link,
      url: link,
      title,
      content_html: content,
      ...(preview && { summary: preview }),
      date_published: publishedAt,
      date_modified: updatedAt,
      tags,
    })),
  })

const contentOf = (publication: Publication, drop: OpenDrop, link: string) =>
  html`${openTextOf(drop)}${membersLine(publication, drop, link)}`

const membersLine = (publication: Publication, drop: OpenDrop, link: string) =>
  drop.isWhole
    ? ''
    : html`<p>${membersWords(drop)} <a href="${link}">${inOwnWords(publication, 'Open the drop')}</a></p>`

function membersWords(drop: OpenDrop): string {
  const headings = closedSections(drop).flatMap(({ heading }) => heading || [])
  return headings.length > 0 ? `Members also read: ${formatList(headings)}.` : 'Members read the full text.'
}
