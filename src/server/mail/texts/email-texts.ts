import type { SettingField } from '#shared/contracts/publishing/site-settings.ts'
import { fieldsIn, fillFields } from '#shared/domain/fill-fields.ts'
import { inOwnWords } from '#shared/domain/own-words.ts'
import type { Email } from '../mailer.ts'
import { type EmailConfig, type EmailContent, type MaybeBlock, renderEmail } from '../render-email.ts'

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

export type ToReader = { to: string; config: EmailConfig }
type Heading = Pick<EmailContent, 'subject' | 'title' | 'preview'> & { lead: string }
export type ButtonTexts = Heading & { more?: string; button: string }

/** For emails to admins. */
export const aboutAdmin = ({ settings: { publication } }: EmailConfig) =>
  ({ department: 'Admin', reason: `You get this email because you’re an admin of ${publication.name}.` }) as const

/** An email of a first paragraph and the blocks after it. */
export const textEmail = (
  { to, config }: ToReader,
  about: Omit<EmailContent, keyof Heading | 'blocks'>,
  { lead, subject, title, preview }: Heading,
  more: readonly MaybeBlock[],
): Email => ({ to, ...renderEmail(config, { subject, title, preview, ...about, blocks: [lead, ...more] }) })

/** `greeting` stands before the first paragraph's text. */
type Said = { values?: Texts; reason?: string; greeting?: string }

/**
 * Emails whose texts the publisher can change and whose parts follow one another in the same way.
 * @param section of the settings
 * @param blocksOf the parts after the first paragraph
 * @returns a function that defines one of these emails by its texts, then by what the data of an email gives: the values
 * of the fields, and what the kind's parts need besides the texts.
 */
export const emailKind =
  <Needed extends Heading, More extends object>(
    section: string,
    about: Pick<EmailContent, 'department' | 'reason'>,
    blocksOf: (texts: Needed, more: More, config: EmailConfig) => readonly MaybeBlock[],
  ) =>
  (key: string, label: string, texts: Needed) => {
    const fill = defineEmailTexts(section, key, label, texts as unknown as Texts)
    return <Data extends ToReader>(read: (data: Data) => Said & More) =>
      (data: Data): Email => {
        const { values, reason = about.reason, greeting = '', ...more } = read(data)
        const texts = fill(data.config, values) as unknown as Needed
        const filled = { ...texts, lead: greeting + texts.lead }
        return textEmail(data, { ...about, reason }, filled, blocksOf(filled, more as unknown as More, data.config))
      }
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
