import { html } from 'hono/html'
import { formatDay } from '#shared/domain/format.ts'
import { ownWordsOf } from '#shared/domain/own-words.ts'
import { optionLabel } from '#shared/domain/preferences.ts'
import { formatMonth } from '#shared/domain/publishing-calendar.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { dropsPerPage, type listDrops, type listGroups, slugOfTag } from './list-drops.ts'
import { pathOfDrop, pathOfMonth, pathOfTag, paths } from './public-addresses.ts'
import type { PublicPage } from './public-layout.ts'

type List = Awaited<ReturnType<typeof listDrops>> & Awaited<ReturnType<typeof listGroups>>
/** Which of the lists: all drops, those of a tag or those of a month. */
type Selection = { title: string; path: string; page: number }

export function listPage(
  publication: Publication,
  { drops, total, months, tags }: List,
  { title, path, page }: Selection,
): PublicPage {
  const own = ownWordsOf(publication)
  const pages = Math.ceil(total / dropsPerPage)
  const addressOf = (number: number) => (number === 1 ? path : `${path}?page=${number}`)
  return {
    title: page === 1 ? title : `${title}, page ${page}`,
    description: `${title} of ${publication.name}: ${publication.tagline}. ${own`The opening of every drop can be read without an account.`}`,
    path: addressOf(page),
    main: html`<header class="list-header">
      <h1>${title}</h1>
      <p class="lead">${publication.description}</p>
    </header>
    <div class="list">
      <ol>${drops.map(
        ({ slug, title: name, date, preview, readingMinutes, isWhole }) => html`<li class="entry">
        <p class="facts entry-facts"><time datetime="${date}">${formatDay(date)}</time> · ${readingMinutes} min${isWhole ? html` · <strong>Open in full</strong>` : ''}</p>
        <h2 class="entry-title"><a href="${pathOfDrop(slug)}">${name}</a></h2>
        ${preview ? html`<p class="entry-preview">${preview}</p>` : ''}
      </li>`,
      )}</ol>
      <nav class="groups" aria-label="Topics and months">
        <h2 class="group-title">By topic</h2>
        <ul>${tags.map(
          ({ tag, drops: count }) =>
            html`<li class="group"><a href="${pathOfTag(slugOfTag(publication, tag))}">${optionLabel(publication, 'focusAreas', tag)}</a> <span class="group-count">${count}</span></li>`,
        )}</ul>
        <h2 class="group-title">By month</h2>
        <ul>${months.map(
          ({ month, drops: count }) =>
            html`<li class="group"><a href="${pathOfMonth(month)}">${formatMonth(month)}</a> <span class="group-count">${count}</span></li>`,
        )}</ul>
        ${path === paths.drops ? '' : html`<p><a href="${paths.drops}">${own`All drops`}</a></p>`}
      </nav>
    </div>
    ${
      pages > 1
        ? html`<nav class="neighbors" aria-label="Pages">
      ${page < pages ? html`<a rel="next" href="${addressOf(page + 1)}"><span>Page ${page + 1} of ${pages}</span> ${own`Earlier drops`}</a>` : ''}
      ${page > 1 ? html`<a rel="prev" href="${addressOf(page - 1)}"><span>Page ${page - 1} of ${pages}</span> ${own`Later drops`}</a>` : ''}
    </nav>`
        : ''
    }`,
  }
}
