import { Feed } from 'feed'
import { html } from 'hono/html'
import type { Db } from '#server/db/database.ts'
import { formatList } from '#shared/domain/format-days-and-lists.ts'
import { type Viewer, visitor } from '#shared/domain/open-sections.ts'
import { optionLabels } from '#shared/domain/preferences.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { closedSections, openTextOf } from './drop-page.ts'
import { listDrops } from './list-drops.ts'
import { pathOfDrop, paths, withWholeAddresses } from './public-addresses.ts'
import { type OpenDrop, readOpenDrop } from './read-open-drop.ts'

/** The newest drops with what `viewer` may read of them. */
export async function buildFeed(
  db: Db,
  publication: Publication,
  origin: string,
  viewer: Viewer = visitor,
): Promise<Feed> {
  const { drops: listed } = await listDrops(db, {}, 1)
  const drops = (await Promise.all(listed.map(({ slug }) => readOpenDrop(db, slug, viewer)))).filter(
    (drop) => drop !== null,
  )
  const newest = drops.map(({ updatedAt }) => updatedAt).toSorted((a, b) => b.getTime() - a.getTime())[0]
  const feed = new Feed({
    id: `${origin}/`,
    title: publication.name,
    description: publication.tagline,
    link: `${origin}${paths.drops}`,
    language: 'en',
    generator: false,
    // If there are no drops, use the Unix epoch: a feed must name a time, and an unchanged feed must not change.
    updated: newest ?? new Date(0),
    author: { name: publication.name, link: `${origin}/` },
    feedLinks: { atom: origin + paths.atom, json: origin + paths.jsonFeed },
  })
  for (const drop of drops) {
    const link = origin + pathOfDrop(drop.slug)
    feed.addItem({
      title: drop.title,
      id: link,
      link,
      description: drop.preview,
      content: withWholeAddresses(String(await contentOf(drop, link)), origin, link),
      date: drop.updatedAt,
      published: new Date(drop.date),
      category: optionLabels(publication, 'focusAreas', drop.tags).map((name) => ({ name, term: name })),
    })
  }
  return feed
}

const contentOf = (drop: OpenDrop, link: string) => html`${openTextOf(drop)}${membersLine(drop, link)}`

const membersLine = (drop: OpenDrop, link: string) =>
  drop.isWhole ? '' : html`<p>${membersWords(drop)} <a href="${link}">Open the drop</a></p>`

function membersWords(drop: OpenDrop): string {
  const headings = closedSections(drop).flatMap(({ heading }) => heading || [])
  return headings.length > 0 ? `Members also read: ${formatList(headings)}.` : 'Members read the full text.'
}
