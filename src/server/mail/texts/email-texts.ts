import type { SettingField } from '#shared/contracts/publishing/site-settings.ts'
import { fieldsIn, fillFields } from '#shared/domain/fill-fields.ts'
import { inOwnWords } from '#shared/domain/own-words.ts'
import type { Email } from '../mailer.ts'
import { type EmailBlock, type EmailConfig, type EmailContent, renderEmail } from '../render-email.ts'

/*
 * Texts of emails that the publisher can change (decision 47). Links, codes and tables of facts aren't part of them, so no
 * change can lose them.
 */

type Texts = Readonly<Record<string, string>>
type EmailTexts = { key: string; label: string; section: string; texts: Texts }

const known: EmailTexts[] = []
/**
 * Defines an email's texts, with fields such as `{plan}`.
 * @returns a function that fills them as the publisher has set them. `{publication}` and `{tagline}` are always there.
 */
export function defineEmailTexts<T extends Texts>(section: string, key: string, label: string, texts: T) {
  known.push({ key, label, section, texts })
  return ({ settings: { publication, emailTexts } }: EmailConfig, values: Texts = {}): Record<keyof T, string> =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        fillFields(emailTexts[`${key}.${name}`] ?? inOwnWords(publication, text), {
          publication: publication.name,
          tagline: publication.tagline,
          ...values,
        }),
      ]),
    ) as Record<keyof T, string>
}

type Heading = Pick<EmailContent, 'subject' | 'title' | 'preview'> & { lead: string }

/** An email of a first paragraph and the blocks after it. Empty blocks are left out. */
export const textEmail = (
  { to, config }: { to: string; config: EmailConfig },
  about: Pick<EmailContent, 'department' | 'reason'>,
  { lead, ...heading }: Heading,
  more: readonly (EmailBlock | false | '' | undefined)[],
): Email => {
  const blocks = [
    { kind: 'text', text: lead } as const,
    ...more.filter((block) => block !== undefined && block !== false && block !== ''),
  ]
  return { to, ...renderEmail(config, { ...heading, ...about, blocks }) }
}

const labels: Readonly<Record<string, string>> = {
  subject: 'Subject',
  preview: 'Preview text',
  title: 'Title',
  lead: 'First paragraph',
  more: 'Second paragraph',
  button: 'Button',
  ignore: 'If it wasn’t you',
  note: 'Note',
}

/** Fields that every text may have and none has to keep. */
const ofPublication = ['publication', 'tagline']

/** All texts as settings. What the first paragraph says of the reader's own case has to stay in it. */
export const emailTextFields = () =>
  known.flatMap(({ key, label, section, texts }) => {
    const fields = [...new Set([...ofPublication, ...Object.values(texts).flatMap(fieldsIn)])]
    return Object.entries(texts).map(([name, text]): SettingField & { required: string[] } => ({
      name: `${key}.${name}`,
      label: labels[name] ?? name,
      section: `${section}: ${label}`,
      kind: name === 'lead' || name === 'more' || name === 'ignore' || name === 'note' ? 'text' : 'line',
      default: text,
      hint: '',
      maxLength: name === 'button' ? 60 : name === 'subject' || name === 'title' ? 150 : 1_000,
      fields,
      required: name === 'lead' ? fieldsIn(text).filter((field) => !ofPublication.includes(field)) : [],
    }))
  })
