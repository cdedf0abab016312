import { html, raw } from 'hono/html'
import type { Db, Tx } from '#server/db/database.ts'
import { renderMarkdown } from '#server/features/library/content/render-markdown.ts'
import { type ItemText, readTranslation, type Translation } from '#server/features/library/content/translations.ts'
import { type CrewTexts, crewTextsIn, dayIn, variableLabel } from '#server/pages/crew-texts.ts'
import type { Markup } from '#server/pages/page-layout.ts'
import { type FilledPart, type FillSources, fillPlaceholders, missingBlanks } from '#shared/domain/fill-placeholders.ts'
import type { CrewLanguage } from '#shared/domain/task-links.ts'
import { variables } from '#shared/domain/variables.ts'
import type { ShareableItem } from './find-shared-item.ts'

/** A section or prompt in the language of a page, or in English if it has no version in it. */
export type TextInLanguage = ItemText & {
  minutes: number | null
  /** Of a section; null for a prompt. */
  html: string | null
  textLanguage: CrewLanguage
  /** Null for the original. */
  translation: Translation | null
}

export async function textInLanguage(
  db: Db | Tx,
  { original, ...item }: ShareableItem,
  language: CrewLanguage,
): Promise<TextInLanguage> {
  const translation = language === 'en' ? null : await readTranslation(db, language, { ...item, ...original })
  return {
    ...(translation ?? original),
    minutes: item.minutes,
    html: item.kind === 'prompt' ? null : translation ? renderMarkdown(translation.body) : item.html,
    textLanguage: translation ? language : 'en',
    translation,
  }
}

/** `sources` are the facts that fill in blanks. `prompt` stands for the item's prompt if it isn't empty. */
type Filling = { sources: FillSources; prompt: string }

/** The text below the title, with prompts to fill in and copy. */
export function itemBody(
  content: TextInLanguage,
  language: CrewLanguage,
  filling: Filling = { sources: {}, prompt: '' },
): Markup {
  const text = crewTextsIn(language)
  const { lead, minutes, checks, textLanguage } = content
  return html`${lead ? html`<p class="lead" lang="${textLanguage}">${lead}</p>` : ''}
    ${minutes === null ? '' : html`<p class="facts">${text('minutes', { minutes })}</p>`}
    ${translationNote(content, language)}
    ${
      content.html === null
        ? promptBlock({ body: filling.prompt || content.body, isPrompt: true }, content, language, filling.sources)
        : html`<div class="prose" lang="${textLanguage}">${raw(sectionText(content.html, content, language, filling))}</div>`
    }
    ${checks.length === 0 ? '' : html`<section><h2>${text('checkTheAnswer')}</h2><ul lang="${textLanguage}">${checks.map((check) => html`<li>${check}</li>`)}</ul></section>`}`
}

/** Says who translated the text and whether the original has changed since, or that there is only the English one. */
function translationNote({ translation }: TextInLanguage, language: CrewLanguage): Markup | '' {
  if (language === 'en') return ''
  const text = crewTextsIn(language)
  if (!translation) return html`<p class="facts">${text('untranslated')}</p>`
  const { translator, translatedOn, isStale } = translation
  return html`<p class="facts">${text('translatedBy', { translator, on: dayIn(language, translatedOn) })}${isStale ? html` <strong>${text('staleTranslation')}</strong>` : ''}</p>`
}

/** Links to the portal would only lead to the sign-in page. Our renderer writes each as one tag without nesting. */
export const withoutPortalLinks = (text: string): string =>
  text.replaceAll(/<a href="\/[^"]*"[^>]*>([\s\S]*?)<\/a>/g, '$1')

/** Turns each text to copy into a block that can be filled in. */
function sectionText(section: string, content: TextInLanguage, language: CrewLanguage, { sources, prompt }: Filling) {
  let given = prompt
  return withoutPortalLinks(section).replaceAll(
    /<blockquote ([^>]*\bdata-copy="[^>]*)>(?:(?!<blockquote)[\s\S])*?<\/blockquote>/g,
    (_, attributes: string) => {
      const isPrompt = /\bdata-prompt\b/.test(attributes)
      const [, written = ''] =
        /\bdata-template="([^"]*)"/.exec(attributes) ?? /\bdata-copy="([^"]*)"/.exec(attributes) ?? []
      const body = (isPrompt && given) || unescapeHtml(written)
      if (isPrompt) given = ''
      return String(promptBlock({ body, isPrompt }, content, language, sources))
    },
  )
}

const entities: Record<string, string> = { quot: '"', lt: '<', gt: '>', amp: '&', '#39': "'" }
const unescapeHtml = (text: string) =>
  text.replaceAll(/&(quot|lt|gt|amp|#39);/g, (_, name: string) => entities[name] ?? '')

/** A text to copy, with a field for each blank that nothing fills in. Without the script there is a sentence instead. */
function promptBlock(
  { body, isPrompt }: { body: string; isPrompt: boolean },
  { textLanguage, translation }: Pick<TextInLanguage, 'textLanguage' | 'translation'>,
  language: CrewLanguage,
  sources: FillSources,
): Markup {
  const text = crewTextsIn(language)
  // The assistant's answer is for the crew, unless the translation says that it is for others.
  const asksForLanguage = isPrompt && language !== 'en' && translation?.answersInLanguage !== false
  const parts = fillPlaceholders(body, sources)
  const blanks = missingBlanks(parts)
  const left = Array.from({ length: blanks.length + 1 }, (_, count) => (count > 0 ? text('blanksLeft', { count }) : ''))
  return html`<div class="prompt">
    ${blanks.length > 0 ? blankFields(blanks, text, language) : ''}
    <pre data-prompt lang="${textLanguage}">${parts.map(partOf)}${asksForLanguage ? html`\n\n<span lang="${language}">${text('answerIn')}</span>` : ''}</pre>
    <div class="copy-bar" data-left="${JSON.stringify(left)}" data-copied="${text('copied')}" data-selected="${text('selected')}" hidden><button type="button" data-copy-prompt>${text(isPrompt ? 'copyPrompt' : 'copyText')}</button><span role="status"></span></div>
  </div>`
}

const partOf = ({ key, value, shown }: FilledPart) => {
  if (key === null) return shown
  return value === null ? html`<mark data-blank="${key}">${shown}</mark>` : html`<mark class="filled">${shown}</mark>`
}

const blankFields = (blanks: readonly FilledPart[], text: CrewTexts, language: CrewLanguage) =>
  html`<p class="facts" data-unfilled>${text('replaceBlanks')}</p>
    <form class="blanks" hidden>${blanks.map(({ key, placeholder }) => {
      const { name = null, hint = null } = placeholder ?? {}
      const label = name ? (variableLabel(name, language) ?? variables[name].label) : key
      const hasLines = name !== null && /^(?:text|list)$/.test(variables[name].type)
      return html`<label><span>${label}${hint ? html` <small>${hint}</small>` : ''}</span>
        ${hasLines ? html`<textarea rows="2" data-fills="${key}"></textarea>` : html`<input data-fills="${key}">`}</label>`
    })}</form>`
