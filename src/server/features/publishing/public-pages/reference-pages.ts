import { html, raw } from 'hono/html'
import type { Deps } from '#server/feature.ts'
import { readGlossary, readSafety } from '#server/features/library/content/read-pages.ts'
import { readMethodPage } from '#server/features/publishing/site-settings/page-texts.ts'
import { readTrustPages } from '#server/features/publishing/trust-pages/trust-settings.ts'
import { hasPage } from '#shared/domain/built-in-pages.ts'
import { formatDay } from '#shared/domain/format.ts'
import { forVisitors, paths } from './public-addresses.ts'
import type { PublicPage } from './public-layout.ts'

export type PageDeps = Pick<Deps, 'database' | 'config' | 'newsletterMailer'>

const checkedLine = (day: string | null) =>
  day ? html`<p class="facts">Last checked <time datetime="${day}">${formatDay(day)}</time></p>` : ''

const prose = (text: string) => html`<div class="prose">${raw(forVisitors(text))}</div>`

async function glossaryPage({ database }: PageDeps): Promise<PublicPage> {
  const { checkedOn, terms } = await readGlossary(database.db)
  const names = new Map(terms.map(({ id, term }) => [id, term]))
  return {
    title: 'Glossary',
    description: `${terms.length} terms, each in a few plain sentences.`,
    path: paths.glossary,
    main: html`<article class="reference">
      <h1>Glossary</h1>
      ${checkedLine(checkedOn)}
      ${terms.map(
        ({ id, term, definitionHtml, seeAlso }) => html`<section id="${id}">
        <h2>${term}</h2>
        ${prose(definitionHtml)}
        ${
          seeAlso.length > 0
            ? html`<p class="facts see-also">See also ${seeAlso.map(
                (other, index) => html`${index > 0 ? ', ' : ''}<a href="#${other}">${names.get(other) ?? other}</a>`,
              )}</p>`
            : ''
        }
      </section>`,
      )}
    </article>`,
  }
}

async function safetyPage({ database }: PageDeps): Promise<PublicPage> {
  const safety = await readSafety(database.db)
  const parts = [
    ['What may go in', safety.mayGoInHtml],
    ['Decisions about people', safety.decisionsHtml],
    ['Incidents and reviews', safety.incidentsHtml],
  ] as const
  return {
    title: safety.title,
    description: `${safety.title}: ${safety.never.length} rules, each with its reason.`,
    path: paths.safety,
    main: html`<article class="reference">
      <h1>${safety.title}</h1>
      ${checkedLine(safety.checkedOn)}
      ${prose(safety.introHtml)}
      ${safety.never.map(
        ({ id, rule, whyHtml, exceptionHtml }) => html`<section id="${id}">
        <h2>${rule}</h2>
        ${prose(whyHtml)}
        ${exceptionHtml ? html`<p class="facts"><strong>Exception</strong></p>${prose(exceptionHtml)}` : ''}
      </section>`,
      )}
      ${parts.map(([title, text]) => html`<section><h2>${title}</h2>${prose(text)}</section>`)}
    </article>`,
  }
}

async function methodPage({ database, config }: PageDeps): Promise<PublicPage> {
  const method = await readMethodPage(database.db)
  return {
    title: method.title,
    description: `How ${config.settings.publication.name} chooses, rates and checks what it recommends.`,
    path: paths.method,
    main: html`<article class="reference">
      <h1>${method.title}</h1>
      ${checkedLine(method.checkedOn)}
      ${prose(method.html)}
      <section>
        <h2>What we look at in a tool</h2>
        <dl>${method.criteria.map(({ title, html: text }) => html`<dt>${title}</dt><dd>${prose(text)}</dd>`)}</dl>
      </section>
    </article>`,
  }
}

async function aboutPage(deps: PageDeps): Promise<PublicPage> {
  const { publication } = deps.config.settings
  const { editor, contact, corrections } = await readTrustPages(deps)
  return {
    title: `About ${publication.name}`,
    description: publication.description,
    path: paths.about,
    main: html`<article class="reference">
      <h1>About ${publication.name}</h1>
      <p class="lead">${publication.description}</p>
      ${editor ? html`<section><h2>${editor.name}</h2>${editor.bioHtml ? prose(editor.bioHtml) : ''}</section>` : ''}
      ${
        hasPage(publication, 'method')
          ? html`<section>
        <h2>How we work</h2>
        <div class="prose"><p>Each page shows the day it was last checked. Read <a href="${paths.method}">how we choose, rate and check</a>.</p></div>
      </section>`
          : ''
      }
      <section>
        <h2>Corrections</h2>
        ${
          corrections.length === 0
            ? html`<div class="prose"><p>No corrections so far.</p></div>`
            : html`<dl>${corrections.map(
                ({ date, where, change }) =>
                  html`<dt><time datetime="${date}">${formatDay(date)}</time>, ${where}</dt><dd class="prose"><p>${change}</p></dd>`,
              )}</dl>`
        }
      </section>
      <section>
        <h2>Write to us</h2>
        <div class="prose"><p><a href="mailto:${contact}">${contact}</a></p></div>
      </section>
    </article>`,
  }
}

/** Public pages besides the drops, by path. */
export const referencePages: Readonly<Record<string, (deps: PageDeps) => Promise<PublicPage>>> = {
  [paths.glossary]: glossaryPage,
  [paths.safety]: safetyPage,
  [paths.method]: methodPage,
  [paths.about]: aboutPage,
}
