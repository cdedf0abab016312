import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { defaultSettings } from '#server/config/settings.ts'
import type { Composed, ComposerOptions, Recipient } from '#server/features/publishing/mailings/compose/composer.ts'
import {
  type EmailSection,
  type MailingContent,
  mailingContentSchema,
} from '#shared/contracts/publishing/newsletter.ts'
import { unknownReader } from '#shared/domain/reader.ts'
import { sectionAnchor } from '#shared/domain/section-anchor.ts'

export const publicUrl = 'https://frontcounter.example'
export const emailConfig = { publicUrl, settings: defaultSettings() }
export const listSender = {
  name: 'Front Counter',
  address: 'newsletter@frontcounter.example',
  replyTo: 'editor@frontcounter.example',
  postalAddress: 'Front Counter LLC\n12 Main Street, Suite 4\nDayton, OH 45402',
}

/** Readable links that contain the delivery id. */
export const readableLinks: ComposerOptions['links'] = {
  unsubscribePage: ({ deliveryId }) => `${publicUrl}/unsubscribe?token=${deliveryId}`,
  oneClick: ({ deliveryId }) => `${publicUrl}/unsubscribe/one-click/${deliveryId}`,
  preferences: `${publicUrl}/account/email`,
  pollAnswer: ({ deliveryId }, { issueId, answer }) =>
    `${publicUrl}/poll/${issueId}/${deliveryId}?answer=${encodeURIComponent(answer.toWellFormed())}`,
  messageName: ({ deliveryId }) => `delivery.${deliveryId}`,
}

export const buildSection = (section: Partial<EmailSection> = {}): EmailSection => ({
  heading: 'A section',
  summary: 'What it is about.',
  body: 'One paragraph.',
  focusAreas: [],
  aiLevel: null,
  goals: [],
  franchiseTypes: [],
  minutes: null,
  partOfLead: false,
  openToEveryone: false,
  kind: null,
  examples: {},
  path: null,
  ...section,
})

export const buildContent = (content: Partial<MailingContent> = {}): MailingContent => ({
  kind: 'issue',
  subject: 'A subject',
  preheader: 'A line of preview text',
  title: 'A title',
  date: '2026-11-17',
  worth: '',
  intro: 'Hello {{first_name|there}}.',
  sections: [buildSection()],
  closing: 'Until next week.',
  question: '',
  path: '/portal/weekly-drops/a-drop',
  ...content,
})

/** A drop from the content folder as mailing content. */
export function sampleDrop(slug = 'ten-minutes-in-your-close'): MailingContent {
  const drop = parse(readFileSync(`content/drops/${slug}.yaml`, 'utf8'))
  const path = `/portal/weekly-drops/${slug}`
  return mailingContentSchema.parse({
    ...drop,
    kind: 'issue',
    subject: drop.title,
    preheader: drop.preview,
    number: 12,
    editorNote: 'I timed my own close for a week before writing this. Twelve minutes were mine to give back.',
    editor: 'Rosa Keller',
    date: new Date(drop.date).toISOString().slice(0, 10),
    intro: `Good morning {{first_name|there}},\n\n${drop.intro}`,
    path,
    sections: drop.sections.map((section: { id: string }) => ({
      goals: [],
      franchiseTypes: [],
      ...section,
      path: `${path}#${sectionAnchor(section.id)}`,
    })),
  })
}

export const buildRecipient = (to: Partial<Recipient> = {}): Recipient => ({
  deliveryId: '7',
  userId: '018f3a52-0000-7000-8000-000000000007',
  email: 'ana@example.com',
  name: 'Ana Silva',
  reader: unknownReader,
  ...to,
})

/** The complete message, without DKIM. */
export const toMimeMessage = ({ headers, body }: Composed): Buffer =>
  Buffer.concat([Buffer.from(`${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`), body])
