import { html, raw } from 'hono/html'
import { itemBody, type TextInLanguage } from '#server/features/reader/sharing/item-body.ts'
import { sharedPageFiles } from '#server/features/reader/sharing/shared-item-page.ts'
import { type CrewTextName, type CrewTexts, crewTextsIn, dayIn, timeIn } from '#server/pages/crew-texts.ts'
import { languageSwitch } from '#server/pages/language-switch.ts'
import { type Markup, type PageConfig, pageLayout } from '#server/pages/page-layout.ts'
import {
  type CrewLanguage,
  maxCrewName,
  maxTaskNumber,
  maxTaskQuestion,
  taskPhotoDays,
} from '#shared/domain/task-links.ts'
import type { Task } from './find-task.ts'

export const taskPaths = { styles: '/t/page.css', script: '/t/page.js', open: '/t/open', answer: '/t/answer' } as const

type TaskPage = {
  task: Task
  text: TextInLanguage | null
  language: CrewLanguage
  config: PageConfig
  /** What was wrong with what was sent. */
  problem: CrewTextName | null
  /** The name that was sent with it. */
  name: string
  /** True after a question was sent. */
  sent: boolean
}

/** The page behind a task link. Without its script everything can be read, checked off and asked. */
export function taskPage({ task, text: content, language, config, problem, name, sent }: TaskPage): Markup {
  const text = crewTextsIn(language)
  const words = { text, language, name }
  const { title, storeName, crew, note, dueOn, done, state } = task
  const where = [storeName, crew].filter(Boolean).join(' · ')
  const from = where || config.settings.publication.name
  const heading = task.hasOwnTitle ? title : (content?.title ?? title)
  return pageLayout({
    title: heading,
    shape: 'wide',
    config,
    language,
    stylesheet: sharedPageFiles.styles,
    head: html`<link rel="stylesheet" href="${taskPaths.styles}">
    <script type="module" src="${sharedPageFiles.script}"></script>
    <script type="module" src="${taskPaths.script}"></script>`,
    main: html`<article class="shared task" data-open="${taskPaths.open}?t=${task.token}">
      <p class="from"><strong>${from}</strong>${dueOn ? html` <span>${text('dueOn', { day: dayIn(language, dueOn) })}</span>` : ''}</p>
      ${languageSwitch(language)}
      ${problem ? html`<p class="said problem" role="alert">${text(problem)}</p>` : ''}
      ${sent ? html`<p class="said" role="status">${text('questionSent')}</p>` : ''}
      ${done ? doneNote(done, task, language) : ''}
      <h1>${heading}</h1>
      ${
        state === 'open'
          ? html`${note ? html`<p class="said note"><strong>${text('noteFrom')}</strong> ${note}</p>` : ''}
            ${task.text && !content ? html`<div class="lead own-text">${task.text}</div>` : ''}
            ${content ? itemBody(content, language, { sources: task.sources, prompt: task.text }) : ''}
            ${done ? '' : form(task, words, 'check-off', checkOffFields(text))}
            <details class="question"><summary>${text('askQuestion')}</summary>${form(task, words, 'ask', questionFields(text))}</details>`
          : html`<p class="lead">${text(state === 'paused' ? 'planEnded' : 'storeDeleted')}</p>`
      }
      <div class="about"><p>${text('whatOwnerSees', { days: taskPhotoDays })}</p></div>
    </article>`,
  })
}

function doneNote({ name, at: instant }: NonNullable<Task['done']>, { timeZone }: Task, language: CrewLanguage) {
  const at = timeIn(language, instant, timeZone)
  const text = crewTextsIn(language)
  return html`<p class="said" role="status">${raw(checkMark)} ${name ? text('doneBy', { name, at }) : text('doneAt', { at })}</p>`
}

/** Lucide's check. */
const checkMark =
  '<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round"><path d="M20 6 9 17l-5-5"/></svg>'

type Words = { text: CrewTexts; language: CrewLanguage; name: string }

const form = ({ token }: Task, { language, text, name }: Words, className: string, fields: Markup) =>
  html`<form class="blanks ${className}" method="post" enctype="multipart/form-data" action="${taskPaths.answer}?t=${token}&lang=${language}">
    ${className === 'check-off' ? html`<h2>${text('isItDone')}</h2>` : ''}
    <label><span>${text('yourName')}</span> <input name="name" value="${name}" required maxlength="${maxCrewName}" autocomplete="given-name" autocapitalize="words"></label>
    ${fields}
  </form>`

const checkOffFields = (text: CrewTexts) =>
  html`<label><span>${text('number')} <small>${text('numberHint')}</small></span> <input name="number" maxlength="${maxTaskNumber}" autocomplete="off"></label>
    <label class="photo"><span>${text('photo')}</span> <input type="file" name="photo" accept="image/*" capture="environment" data-button="${text('checkOffWithPhoto')}"></label>
    <button name="action" value="done">${text('checkOff')}</button>
    <p class="facts">${text('photoHint')}</p>`

const questionFields = (text: CrewTexts) =>
  html`<label><span>${text('yourQuestion')}</span> <textarea name="question" rows="3" required maxlength="${maxTaskQuestion}"></textarea></label>
    <button name="action" value="question" class="button secondary">${text('sendQuestion')}</button>`

/** For links that are wrong, old or ended: the page doesn't tell which. */
export const endedTaskPage = (language: CrewLanguage, config: PageConfig, isLimited: boolean): Markup => {
  const text = crewTextsIn(language)
  return pageLayout({
    title: text('linkEnded'),
    shape: 'column',
    config,
    language,
    main: html`<h1>${text('linkEnded')}</h1><p class="lead">${text(isLimited ? 'problemTooMany' : 'linkEndedLead')}</p>`,
  })
}
