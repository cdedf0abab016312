import { html, raw } from 'hono/html'
import { renderComment } from '#server/features/library/content/render-markdown.ts'
import type { PublicAnswer } from '#server/features/reader/comments/best-answers.ts'
import type { Markup } from '#server/pages/page-layout.ts'
import { formatDay, formatList } from '#shared/domain/format.ts'
import { inOwnWords, ownWordsOf } from '#shared/domain/own-words.ts'
import { optionLabel } from '#shared/domain/preferences.ts'
import { formatMonth } from '#shared/domain/publishing-calendar.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import {
  dropsPerPage,
  type listDrops,
  type listGroups,
  type OpenDrop,
  type OpenSection,
  slugOfTag,
} from './open-drops.ts'
import { forVisitors, pathOfDrop, pathOfMonth, pathOfTag, paths, shareImageOf } from './public-addresses.ts'
import type { PublicPage } from './public-layout.ts'

type Neighbor = { slug: string; title: string } | null
type Neighbors = { earlier: Neighbor; later: Neighbor }

const membersClass = 'for-members'

/** The page of a drop: everything that is open, and the headings of the rest. */
export function dropPage(
  publication: Publication,
  drop: OpenDrop,
  { earlier, later }: Neighbors,
  origin: string,
  answers: readonly PublicAnswer[] = [],
): PublicPage {
  const own = ownWordsOf(publication)
  const { slug, title, preview, repeatsPreview, number, publishedAt, updatedAt, isWhole } = drop
  const path = pathOfDrop(slug)
  const published = publishedAt.toISOString()
  return {
    title,
    description: preview || title,
    path,
    type: 'article',
    image: shareImageOf(slug),
    head: html`<meta property="article:published_time" content="${published}">
    <meta property="article:modified_time" content="${updatedAt.toISOString()}">`,
    data: {
      '@type': 'Article',
      headline: title,
      image: origin + shareImageOf(slug),
      description: preview || title,
      url: origin + path,
      mainEntityOfPage: origin + path,
      position: number,
      datePublished: published,
      dateModified: (updatedAt > publishedAt ? updatedAt : publishedAt).toISOString(),
      isAccessibleForFree: isWhole,
      publisher: { '@type': 'Organization', name: publication.name, url: `${origin}/` },
      ...(!isWhole && {
        hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: `.${membersClass}` },
      }),
    },
    main: html`<article class="drop">
      <header>
        <p class="facts"><a href="${paths.drops}">${publication.tabTitles['weekly-drops']}</a> · No. ${number}</p>
        <h1>${title}</h1>
        ${preview && !repeatsPreview ? html`<p class="lead">${preview}</p>` : ''}
        ${factsOf(publication, drop)}
      </header>
      ${openTextOf(drop)}
      ${answersOf(answers)}
      ${talkLine(publication, drop)}
      ${isWhole ? wholeNote(publication, slug) : membersNote(publication, drop)}
      ${
        earlier || later
          ? html`<nav class="neighbors" aria-label="${own`Other drops`}">
        ${earlier ? html`<a rel="prev" href="${pathOfDrop(earlier.slug)}"><span>${own`Earlier drop`}</span> ${earlier.title}</a>` : ''}
        ${later ? html`<a rel="next" href="${pathOfDrop(later.slug)}"><span>${own`Later drop`}</span> ${later.title}</a>` : ''}
      </nav>`
          : ''
      }
    </article>`,
  }
}

const talkLine = ({ comments }: Publication, { id, isWhole }: OpenDrop) =>
  comments === 'off'
    ? ''
    : comments === 'readers' && isWhole
      ? html`<p><a rel="nofollow" href="/talk/${encodeURIComponent(id)}">Sign in or create a free account</a> to read all answers and write one.</p>`
      : html`<p>Members talk about this with each other and with the editor.</p>`

/** The first answers. Their links are nofollow, and headings can't be written in them. */
const answersOf = (answers: readonly PublicAnswer[]) =>
  answers.length === 0
    ? ''
    : html`<section aria-labelledby="answers">
        <h2 class="section-heading" id="answers">Answers</h2>
        <ol class="answers">${answers.map(
          ({ name, isEditor, text, at }) => html`<li class="answer">
          <p class="facts"><strong>${name}</strong>${isEditor ? ' · Editor' : ''} · <time datetime="${at}">${formatDay(at)}</time></p>
          <div class="prose">${raw(renderComment(text))}</div>
        </li>`,
        )}</ol>
      </section>`

const factsOf = (publication: Publication, { date, readingMinutes, tags }: OpenDrop) =>
  html`<p class="facts"><time datetime="${date}">${formatDay(date)}</time> · ${readingMinutes} min read${tags.map(
    (tag) =>
      html` · <a href="${pathOfTag(slugOfTag(publication, tag))}">${optionLabel(publication, 'focusAreas', tag)}</a>`,
  )}</p>`

/** Opening and open sections, and the rest of a drop that is open as a whole. */
export const openTextOf = ({ worthHtml, introHtml, sections, closingHtml }: OpenDrop): Markup =>
  html`${introHtml ? html`<div class="prose dropcap">${raw(forVisitors(introHtml))}</div>` : ''}
      ${worthHtml ? html`<section class="prose worth" aria-label="What it’s worth">${raw(forVisitors(worthHtml))}</section>` : ''}
      ${sections.map(({ anchor, heading, html: text }) =>
        text === null
          ? ''
          : heading === ''
            ? html`<div class="prose${introHtml ? '' : ' dropcap'}" id="${anchor}">${raw(forVisitors(text))}</div>`
            : html`<section id="${anchor}" aria-labelledby="${anchor}-heading">
        <h2 class="section-heading" id="${anchor}-heading">${heading}</h2>
        <div class="prose">${raw(forVisitors(text))}</div>
      </section>`,
      )}
      ${closingHtml ? html`<div class="prose closing">${raw(forVisitors(closingHtml))}</div>` : ''}`

export const closedSections = ({ sections }: OpenDrop): OpenSection[] =>
  sections.filter(({ html: text }) => text === null)

const membersNote = (publication: Publication, drop: OpenDrop) => {
  const rest = publication.navigation.tabs
    .filter(({ href }) => href !== '/portal/weekly-drops')
    .map(({ label }) => label)
  return html`<aside class="${membersClass}" aria-labelledby="members">
        ${closedList(closedSections(drop))}
        <p>${inOwnWords(publication, 'Membership includes every section of every drop')}, in the order that fits you${rest.length > 0 ? `, with ${formatList(rest)}` : ''}.</p>
        <div class="actions"><a class="button" href="/#pricing">${publication.labels.getAccess}</a><a class="button secondary" href="/free">Get the free edition</a></div>
        <p class="own-copy">Already a member? <a href="/portal/weekly-drops/${drop.slug}">Read your own copy</a></p>
      </aside>`
}

/** Lists what members also read, or says that they read the text, which has no heading. */
function closedList(closed: readonly OpenSection[]): Markup {
  const named = closed.filter(({ heading }) => heading !== '')
  if (named.length === 0) return html`<h2 class="offer-title" id="members">Members read the full text</h2>`
  return html`<h2 class="offer-title" id="members">Members also read</h2>
        <ul>${named.map(
          ({ anchor, heading, minutes }) =>
            html`<li id="${anchor}"><span>${heading}</span> <span class="minutes">${minutes} min to try</span></li>`,
        )}</ul>`
}

const wholeNote = (publication: Publication, slug: string) =>
  html`<aside class="offer" aria-labelledby="members">
        <h2 class="offer-title" id="members">${inOwnWords(publication, publication.words.weekly ? 'One drop like this each week' : 'More drops like this')}</h2>
        <p>${inOwnWords(publication, 'This drop is open to everyone.')} Members read every section of the others, in the order that fits their business.</p>
        <div class="actions"><a class="button" href="/#pricing">${publication.labels.getAccess}</a><a class="button secondary" href="/free">Get the free edition</a></div>
        <p class="own-copy">Already a member? <a href="/portal/weekly-drops/${slug}">Read your own copy</a></p>
      </aside>`

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
