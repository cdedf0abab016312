import { createMarkdown } from '#server/features/library/content/render-markdown.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { findLeftovers } from '#shared/domain/find-leftovers.ts'
import { isSitePage } from '#shared/domain/internal-links.ts'
import { imagesIn, linksIn, parseImageAddress } from '#shared/domain/markdown-images.ts'
import { findMergeFields, mergeFieldNames } from '#shared/domain/merge-fields.ts'
import { type ContentText, linesOf, listTexts } from './list-content-texts.ts'
import type { Place, Problem } from './mailing-problem.ts'

/** Phones show about 40 characters of a subject, desktops about 60. */
const maxSubjectLength = 60

const { validateLink } = createMarkdown()

/** Checks of the text itself. */
export function checkWords(content: MailingContent, fieldKeys: readonly string[] = []): Problem[] {
  const names = mergeFieldNames(fieldKeys)
  return [
    ...checkSubject(content),
    ...checkText(content),
    ...listTexts(content).flatMap((text) => [
      ...linesOf(text).flatMap(({ line, place, quoted }) => checkLeftovers(line, place, quoted)),
      ...onceEach(linesOf(text).flatMap(({ line, place }) => findFields(line, place, names))),
      ...(text.markdown ? findAddresses(text) : []),
    ]),
  ]
}

function checkSubject({ subject, otherSubjects = [], preheader }: MailingContent): Problem[] {
  const place = (part: 'subject' | 'preheader'): Place => ({ part, section: null, line: null })
  const problems: Problem[] = []
  if (subject.trim() === '') {
    problems.push({ severity: 'error', check: 'subject', message: 'Add a subject', place: place('subject') })
  }
  for (const [index, each] of [subject, ...otherSubjects].entries()) {
    const length = [...each.trim()].length
    if (length <= maxSubjectLength) continue
    const name = index === 0 ? 'The subject' : `Subject ${index + 1} of the test`
    const message = `${name} has ${length} characters. Most inboxes show ${maxSubjectLength}, phones about 40`
    problems.push({ severity: 'warning', check: 'subject', message, place: place('subject') })
  }
  if (preheader.trim() === '') {
    const message = 'Add preview text. Without it, inboxes show the first words of the email'
    problems.push({ severity: 'warning', check: 'preheader', message, place: place('preheader') })
  }
  return problems
}

/** An issue that was unpublished after its mailing was created has no text. */
function checkText({ kind, intro, sections }: MailingContent): Problem[] {
  if (sections.length > 0 || intro.trim()) return []
  const because = kind === 'issue' ? ': the drop is no longer published' : ''
  return [{ severity: 'error', check: 'no-text', message: `There’s no text to send${because}`, place: null }]
}

const checkLeftovers = (line: string, place: Place, quoted: boolean): Problem[] =>
  findLeftovers(line, quoted).map((what) => ({
    severity: 'error',
    check: 'placeholder',
    message: `Replace “${what}”`,
    place,
  }))

/** Keeps the first of several identical problems in a text. */
const onceEach = (problems: Problem[]) =>
  [...new Map(problems.toReversed().map((problem) => [problem.message, problem])).values()].toReversed()

function findFields(line: string, place: Place, names: readonly string[]): Problem[] {
  const fields = findMergeFields(line)
  const problem = (severity: Problem['severity'], message: string): Problem => ({
    severity,
    check: 'merge-field',
    message,
    place,
  })
  const unclosed = line.replace(/\{\{[^{}]*\}\}/g, '').match(/\{\{|\}\}/)
  return [
    ...fields.flatMap(({ written, name, fallback, index }) => {
      if (!names.includes(name)) {
        return [problem('error', `“${written}” isn’t a merge field. Use ${names.join(', ')}`)]
      }
      if (/\]\([^()\s]*$/.test(line.slice(0, index))) {
        return [problem('error', `“${written}” doesn’t work in a link address`)]
      }
      return fallback ? [] : [problem('warning', `“${written}” has no fallback and is empty for some readers`)]
    }),
    ...(unclosed ? [problem('error', `“${unclosed[0]}” isn’t closed`)] : []),
  ]
}

/** Links and images that the renderer would show as plain text. */
function findAddresses(text: ContentText): Problem[] {
  return linesOf(text).flatMap(({ line, place }) =>
    linksIn(line.replace(/`[^`]*`/g, '')).flatMap(({ written, isPicture, words, address }) =>
      isPicture ? pictureProblems(written, place) : linkProblems(written, words, address, place),
    ),
  )
}

function linkProblems(written: string, words: string, address: string, place: Place): Problem[] {
  const problem = (message: string): Problem => ({ severity: 'error', check: 'link', message, place })
  if (address === '' || address === '#') return [problem(`“${written}” has no address`)]
  if (words.trim() === '') return [problem(`The link to ${address} has no text`)]
  if (!validateLink(address) && !isSitePage(address))
    return [problem(`“${address}” can’t be linked from an email. Start it with https://`)]
  return []
}

function pictureProblems(written: string, place: Place): Problem[] {
  const [image] = imagesIn(written)
  const problem = (message: string): Problem => ({ severity: 'error', check: 'picture', message, place })
  if (!image || !parseImageAddress(image.address)) {
    return [problem('This image isn’t in your library, so readers would see its address instead')]
  }
  return image.alt === '' ? [problem('This image has no alt text')] : []
}
