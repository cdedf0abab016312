import type { PageId } from '#server/features/library/content/content-files.ts'
import { pageTexts } from '#server/features/library/content/page-texts.ts'
import { emailTextFields } from '#server/mail/texts/email-texts.ts'
import type { SettingGroup, SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import { isHexColor, isReadableAccent, nearestReadableAccent } from '#shared/domain/accent-colors.ts'
import { builtInPageNames, builtInPages } from '#shared/domain/built-in-pages.ts'
import { commentAudiences } from '#shared/domain/comments.ts'
import { assistantChoices } from '#shared/domain/connection-rights.ts'
import { corners, designs, fontPairs, headers, type Look, widths } from '#shared/domain/designs.ts'
import { fieldsIn } from '#shared/domain/fill-fields.ts'
import { type LandingTextName, landingTextDefaults, questionCount } from '#shared/domain/landing-texts.ts'
import { newDropChoices } from '#shared/domain/open-sections.ts'
import { type Publication, publicationDefaults } from '#shared/publication-defaults.ts'
import { legalFields } from './legal-fields.ts'
import { choice, type KnownSetting, line, navigationFields } from './navigation-fields.ts'
import { parseRedirects, writeRedirects } from './redirects.ts'

/** Returns true if security reports can go there: an email address or an https page. */
const isSecurityContact = (text: string): boolean =>
  /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(text) || (/^https:\/\/[!-~]+$/.test(text) && URL.canParse(text))

const { name, tagline, description, footer, senderName, accent, newDrops } = publicationDefaults

const logoUses = { beside: 'Shown', instead: 'Hidden: the logo stands in for it' }

const aiCrawlerChoices = { welcome: 'May read what is open to everyone', refused: 'Are asked to stay away' }

const bestAnswers = { off: 'Left out', on: 'At the end of the email' }
const firstAnswers = { show: 'Shown right away', hold: 'Held until you approve it' }

/** A choice that the design makes unless the publisher overrides it. */
const adjustment = (name: keyof Look, label: string, options: Readonly<Record<string, string>>, hint: string) => ({
  ...choice(name, label, 'Type, color and shape', { design: 'Design default', ...options }, 'design'),
  hint,
})

const designFields: readonly KnownSetting[] = [
  choice(
    'design',
    'Design',
    'Design',
    Object.fromEntries(Object.entries(designs).map(([key, { label }]) => [key, label])),
    publicationDefaults.look.design,
  ),
  {
    ...line('accent', 'Accent color', 'Type, color and shape', accent, 7),
    kind: 'color',
    hint: 'Buttons and links in the light theme. The dark theme gets a lighter color of the same hue. Leave it empty to use the design’s.',
    mayBeEmpty: true,
  },
  adjustment('fonts', 'Fonts', fontPairs, 'Emails use the closest fonts on the reader’s device.'),
  adjustment('width', 'Width', widths, 'For pages and their text. Emails keep a width that suits mail programs.'),
  adjustment('corners', 'Corners', corners, 'For buttons, fields, boxes and pictures.'),
  adjustment('header', 'Header', headers, 'On phones the name stays on the left, to leave room for buttons.'),
  {
    ...line('logo', 'Logo', 'Logo and icon', '', 120),
    kind: 'logo',
    hint: 'PNG, JPEG, WebP or GIF. Shown at 32 pixels high instead of the bell.',
    mayBeEmpty: true,
  },
  {
    ...line('logoDark', 'Logo in the dark theme', 'Logo and icon', '', 120),
    kind: 'logo',
    hint: 'Without one, the logo above is used on dark backgrounds too. Bulletin’s header is dark in both themes.',
    mayBeEmpty: true,
  },
  {
    ...choice('logoUse', 'Name beside the logo', 'Logo and icon', logoUses, 'beside'),
    hint: 'In the headers of pages. Emails always have the name, since many programs load no images.',
  },
  {
    ...line('icon', 'App icon', 'Logo and icon', '', 120),
    kind: 'icon',
    hint: 'Square, at least 180 pixels; 512 look best. In the browser’s tab and on the home screen instead of the bell.',
    mayBeEmpty: true,
  },
  {
    ...line('picture', 'Picture', 'Picture of the landing page', '', 240),
    kind: 'picture',
    hint: 'Below the headline. A wide photo looks best; it is scaled down for phones.',
    mayBeEmpty: true,
    findProblem: (value, values) =>
      value && !values.pictureAlt ? 'Describe the picture below for readers who can’t see it' : null,
  },
  {
    ...line('pictureAlt', 'What the picture shows', 'Picture of the landing page', '', 200),
    hint: 'Screen readers read it aloud.',
    mayBeEmpty: true,
  },
]

const publicationFields: readonly KnownSetting[] = [
  line('name', 'Name', 'Name and texts', name, 60),
  line('tagline', 'Tagline', 'Name and texts', tagline, 120),
  {
    ...line('description', 'Description', 'Name and texts', description, 300),
    kind: 'text',
    hint: 'Shown by search engines and in link previews.',
  },
  {
    ...line('footer', 'Copyright line', 'Name and texts', footer, 60),
    hint: 'Before the name in the footer.',
    mayBeEmpty: true,
  },
  {
    ...line('senderName', 'Sender name', 'Name and texts', senderName, 60),
    hint: 'In From of every email. Leave it empty to use the publication’s name.',
    mayBeEmpty: true,
  },
  {
    ...choice('newDrops', 'Open in new drops', 'Public pages', newDropChoices, newDrops),
    hint: 'What everyone may read, without an account. You can change it in each section of a drop.',
  },
  {
    ...choice('assistants', 'Connected assistants', 'AI assistants', assistantChoices, publicationDefaults.assistants),
    hint: 'ChatGPT, Claude and others find and use what a person may open, and prepare drafts for the staff. Turning it off keeps the connections and refuses their requests.',
  },
  {
    ...choice('comments', 'Who answers', 'Answers under drops', commentAudiences, publicationDefaults.comments),
    hint: 'Readers answer and help each other at the end of each drop, under a name that they choose.',
  },
  {
    ...choice('commentsHold', 'First answer of a person', 'Answers under drops', firstAnswers, 'show'),
    hint: 'Held answers are listed under Content → Answers.',
  },
  {
    ...choice('commentsInEmail', 'Best answers in the weekly drop', 'Answers under drops', bestAnswers, 'off'),
    hint: 'Each drop’s email ends with up to three answers to the drop before that readers marked as helpful or whose authors said that it worked. Only people who can read the answers see them.',
  },
  {
    ...line('commentsBlocked', 'Blocked words', 'Answers under drops', '', 10_000),
    kind: 'lines',
    hint: 'One per line. An answer that contains one is held for you, even if it’s disguised with symbols or look-alike letters. End a word with * to block every word that starts with it.',
    mayBeEmpty: true,
  },
  {
    ...choice('aiCrawlers', 'AI crawlers', 'Public pages', aiCrawlerChoices, 'welcome'),
    hint: 'Crawlers that collect texts for AI models. Not all of them respect a refusal. Search engines aren’t affected.',
  },
  {
    ...line('securityContact', 'Contact for security reports', 'Public pages', '', 200),
    hint: 'Email address or https page in /.well-known/security.txt. Left empty, it is the reply-to address of newsletters.',
    mayBeEmpty: true,
    findProblem: (value) =>
      value === '' || isSecurityContact(value) ? null : 'Enter an email address or a page that starts with https://',
  },
]

const landing = (setting: LandingTextName, label: string, more: Partial<KnownSetting> = {}): KnownSetting => ({
  ...line(
    `landing.${setting}`,
    label,
    /^(question|answer)/.test(setting) ? 'Questions and answers' : 'Landing page',
    landingTextDefaults[setting],
    120,
  ),
  fields: ['publication', 'price', 'team', 'seats'],
  ...more,
})
const paragraph = { kind: 'text', maxLength: 600 } as const

const landingFields: readonly KnownSetting[] = [
  landing('heroTitle', 'Headline'),
  landing('heroText', 'Text below the headline', paragraph),
  landing('heroNote', 'Line below the button', { mayBeEmpty: true }),
  landing('samplesTitle', 'Heading of the samples'),
  landing('dropsTitle', 'First offering'),
  landing('dropsText', 'First offering: text', paragraph),
  landing('promptsTitle', 'Second offering'),
  landing('promptsText', 'Second offering: text', paragraph),
  landing('guidesTitle', 'Third offering'),
  landing('guidesText', 'Third offering: text', paragraph),
  landing('toolsTitle', 'Fourth offering'),
  landing('toolsText', 'Fourth offering: text', paragraph),
  landing('plansTitle', 'Heading of the plans'),
  landing('plansText', 'Line above the features'),
  landing('benefits', 'Features of every plan', {
    kind: 'lines',
    maxLength: 800,
    hint: 'One per line.',
    fields: ['publication', 'price', 'team', 'seats', 'prompts'],
  }),
  landing('questionsTitle', 'Heading of the questions'),
  ...Array.from({ length: questionCount }, (_, index) => index + 1).flatMap((number) => [
    landing(`question${number}` as LandingTextName, `Question ${number}`, { mayBeEmpty: true }),
    landing(`answer${number}` as LandingTextName, `Answer ${number}`, { ...paragraph, mayBeEmpty: true }),
  ]),
]

const page = (pageName: string, label: string, hint: string): KnownSetting => ({
  ...line(pageName, label, 'Pages', '', 40_000),
  kind: 'markdown',
  hint,
  mayBeEmpty: true,
})

const contentPageNames: Record<PageId, string> = {
  glossary: 'Glossary',
  safety: 'Safety rules',
  'start-here': 'Start here',
  method: 'How we choose: title and criteria',
  deadlines: 'Deadlines',
}

const includedPageChoices = {
  auto: 'Shown with the sample content, or once it has your text',
  shown: 'Shown',
  hidden: 'Hidden',
}

const pageFields: readonly KnownSetting[] = [
  page('privacy', 'Privacy policy', 'Markdown. Shown at /privacy, and in the footer once it has a text.'),
  page('terms', 'Terms', 'Markdown. Shown at /terms, and in the footer once it has a text.'),
  page('method', 'How we choose', 'Markdown. The list of criteria beside it is below.'),
  ...pageTexts.map(
    ({ name: pageText, page: id, label, kind, hint }): KnownSetting => ({
      ...line(pageText, label, contentPageNames[id], '', kind === 'line' ? 200 : 40_000),
      kind,
      hint,
    }),
  ),
  ...builtInPageNames.map((id) =>
    choice(`page.${id}`, builtInPages[id].label, 'Included pages', includedPageChoices, 'auto'),
  ),
  {
    ...line('redirects', 'Redirects', 'Old addresses', '', 40_000),
    kind: 'lines',
    hint: 'One per line: the old address, a space and the new one, such as /old-page /drops. Or paste the text of Ghost’s redirects.yaml or redirects.json. Old addresses of imported posts lead to their drops without a line.',
    mayBeEmpty: true,
    normalize: (value) => writeRedirects(parseRedirects(value).redirects),
    findProblem: (value) => parseRedirects(value).problems[0] ?? null,
  },
]

const byGroup: Record<SettingGroup, () => readonly KnownSetting[]> = {
  publication: () => [...publicationFields, ...designFields, ...landingFields],
  pages: () => pageFields,
  emails: emailTextFields,
  navigation: () => navigationFields,
  legal: () => legalFields,
}

export const settingFields = (group: SettingGroup): readonly KnownSetting[] => byGroup[group]()

/** Characters that turn the direction of the text around them, and that no font shows. */
const invisible = /[\u202A-\u202E\u2066-\u2069\u200B\u2060\uFEFF]/g

/** Normalizes what was entered, and leaves out what equals the default. `own`: defaults that differ from those of the fields. */
export function cleanValues(group: SettingGroup, values: SettingValues, own: SettingValues = {}): SettingValues {
  return Object.fromEntries(
    settingFields(group).flatMap((field) => {
      const value = values[field.name]
      if (value === undefined) return []
      const text = clean(field, value)
      const cleaned = field.normalize && !field.findProblem?.(text, values) ? field.normalize(text) : text
      return cleaned === (own[field.name] ?? field.default) ? [] : [[field.name, cleaned]]
    }),
  )
}

function clean({ kind }: KnownSetting, value: string): string {
  const text = value.toWellFormed().normalize('NFC').replaceAll(invisible, '')
  if (kind === 'color') return text.trim().toLowerCase()
  if (kind === 'markdown') return text.replaceAll(/\r\n?/g, '\n').trim()
  if (kind === 'lines' || kind === 'links') {
    const lines = text.split(/[\r\n]+/).map((each) => each.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim())
    return lines.filter(Boolean).join('\n')
  }
  return text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
}

/** Lists mistakes by setting. Expects cleaned values. */
export function settingProblems(group: SettingGroup, values: SettingValues): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const field of settingFields(group)) {
    const value = values[field.name]
    const problem = value === undefined ? null : findProblem(field, value, values)
    if (problem) problems[field.name] = problem
  }
  return problems
}

function findProblem(field: KnownSetting, value: string, values: SettingValues) {
  const { label, kind, maxLength, fields, options = [], required = [], mayBeEmpty } = field
  if (value === '') return mayBeEmpty ? null : `${label} can’t be empty. Enter a text, or use the default.`
  if (value.length > maxLength) return `${label} can have up to ${maxLength} characters. This text has ${value.length}.`
  const problem = field.findProblem?.(value, values)
  if (problem) return `${problem}.`
  if (kind === 'choice')
    return options.some((option) => option.value === value) ? null : `Choose one of the options of ${label}.`
  if (kind === 'color') return findColorProblem(value)
  if (kind === 'logo') {
    return parseLogo(value) ? null : 'Upload the logo again.'
  }
  if (kind === 'icon') return findIconProblem(value)
  if (kind === 'picture') return parsePicture(value, '') ? null : 'Upload the picture again.'
  if (fields.length === 0) return null
  const used = fieldsIn(value)
  const unknown = used.find((each) => !fields.includes(each))
  if (unknown) {
    const list = fields.map((each) => `{${each}}`).join(', ')
    return `${label} has {${unknown}}, which doesn’t exist here. You can use ${list}.`
  }
  const missing = required.find((each) => !used.includes(each))
  return missing ? `${label} must contain {${missing}}: readers need it.` : null
}

function findColorProblem(value: string): string | null {
  if (!isHexColor(value)) return 'Enter a color such as #0f533c.'
  if (isReadableAccent(value)) return null
  return `Text in ${value} is hard to read on the light theme. The nearest color that works is ${nearestReadableAccent(value)}.`
}

const logoHeight = 32
const maxLogoWidth = 144

const minIconSize = 180

function findIconProblem(value: string): string | null {
  const [, width = 0, height = 0] = (/#(\d+)x(\d+)$/.exec(value) ?? []).map(Number)
  if (!parseLogo(value)) return 'Upload the app icon again.'
  if (width === height && width >= minIconSize) return null
  return `The app icon must be square, with at least ${minIconSize} pixels on each side. This image has ${width} × ${height}.`
}

/** A logo is the path of an uploaded image with its size, such as "/media/0f….png#320x80". */
export function parseLogo(value: string): Publication['logo'] {
  const [, src = '', width, height] =
    /^(\/media\/[0-9a-f]{64}\.(?:png|jpg))#([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(value) ?? []
  if (!src) return null
  const scale = Math.min(logoHeight / Number(height), maxLogoWidth / Number(width))
  return {
    src,
    width: Math.max(1, Math.round(Number(width) * scale)),
    height: Math.max(1, Math.round(Number(height) * scale)),
  }
}

/** Parses the path of an uploaded image with its size, and the path of its small version: "/media/0f….jpg#1600x900 /media/1e….jpg". */
export function parsePicture(value: string, alt: string): Publication['picture'] {
  const [, src = '', width, height, small = ''] =
    /^(\/media\/[0-9a-f]{64}\.(?:png|jpg))#([1-9]\d{0,4})x([1-9]\d{0,4}) (\/media\/[0-9a-f]{64}\.(?:png|jpg))$/.exec(
      value,
    ) ?? []
  return src ? { src, small, width: Number(width), height: Number(height), alt } : null
}

/** The chosen design with the publisher's adjustments. Expects valid values. */
export function composeLook(values: SettingValues): Look {
  const { look } = designs[(values.design ?? publicationDefaults.look.design) as Look['design']]
  const own = (Object.keys(look) as (keyof Look)[]).filter((name) => (values[name] ?? 'design') !== 'design')
  return { ...look, ...Object.fromEntries(own.map((name) => [name, values[name]])) }
}
