import { z } from 'zod'
import type { SettingField, SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import { findLinksProblem, isLinkTarget, pageOfTarget, writeLinks } from '#shared/domain/site-links.ts'
import {
  buttonLabelDefaults,
  navigationDefaults,
  type SiteLink,
  tabLedeDefaults,
  tabTitleDefaults,
} from '#shared/publication-defaults.ts'

/** `required`: fields that the text must keep. `mayBeEmpty`: an empty text is a choice, not a mistake. */
export type KnownSetting = SettingField & {
  required?: readonly string[]
  mayBeEmpty?: boolean
  /** Brings a value that has no problem into one form. */
  normalize?: (value: string) => string
  /** Mistakes beyond those that the kind of the field forbids. */
  findProblem?: (value: string, values: SettingValues) => string | null
}

export const line = (name: string, label: string, section: string, text: string, maxLength: number): KnownSetting => ({
  name,
  label,
  section,
  kind: 'line',
  default: text,
  hint: '',
  maxLength,
  fields: [],
})

export const choice = (
  name: string,
  label: string,
  section: string,
  options: Readonly<Record<string, string>>,
  initial: string,
): KnownSetting => ({
  ...line(name, label, section, initial, 40),
  kind: 'choice',
  options: Object.entries(options).map(([value, text]) => ({ value, label: text })),
})

const asText = (links: readonly SiteLink[]) => writeLinks(links.map(({ href, label }) => ({ target: href, label })))

/** Beside the name on the pages that the server renders for visitors, until the publisher changes it. */
export const defaultHeader: readonly SiteLink[] = [
  { label: 'Drops', href: '/drops' },
  { label: 'Free edition', href: '/free' },
  { label: 'Get Access', href: '/#pricing' },
  { label: 'Sign In', href: '/auth' },
]

const common = { section: 'Navigation', maxLength: 8_000, fields: [] as string[], mayBeEmpty: true }

/** Pages to choose from, besides those of the publisher. */
const forVisitors: readonly SiteLink[] = [
  { label: 'Drops', href: '/drops' },
  { label: 'Free edition', href: '/free' },
  { label: 'Plans', href: '/#pricing' },
  { label: 'Sign in', href: '/auth' },
  { label: 'Glossary', href: '/glossary' },
  { label: 'Safety rules', href: '/safety' },
  { label: 'How we choose', href: '/method' },
  { label: 'About', href: '/about' },
  { label: 'How we choose, in the portal', href: '/portal/method' },
  { label: 'Safety rules, in the portal', href: '/portal/safety' },
  { label: 'Editor', href: '/portal/editor' },
  { label: 'Corrections', href: '/portal/corrections' },
]
const forMembers: readonly SiteLink[] = [
  ...navigationDefaults.tabs,
  { label: 'Start here', href: '/portal/start-here' },
  { label: 'Archive', href: '/portal/archive' },
  { label: 'Search', href: '/portal/search' },
  { label: 'Saved', href: '/portal/saved' },
  { label: 'Glossary', href: '/portal/glossary' },
  { label: 'Your year', href: '/portal/value' },
  { label: 'How we choose', href: '/portal/method' },
  { label: 'Safety rules', href: '/portal/safety' },
  { label: 'Editor', href: '/portal/editor' },
  { label: 'Corrections', href: '/portal/corrections' },
  { label: 'Account', href: '/account' },
]

type LinksField = {
  name: string
  label: string
  hint: string
  links: readonly SiteLink[]
  choices: readonly SiteLink[]
  maxLinks: number
  maxLabelLength?: number
}

const linksField = ({ links, choices, maxLinks, maxLabelLength = 40, ...field }: LinksField): KnownSetting => ({
  ...common,
  ...field,
  kind: 'links',
  default: asText(links),
  options: choices.map(({ href, label }) => ({ value: href, label })),
  findProblem: (value) => findLinksProblem(value, { maxLinks, maxLabelLength }),
})

const buttonNames: Readonly<Record<keyof typeof buttonLabelDefaults, string>> = {
  getAccess: 'Button for visitors',
  choosePlan: 'Button without a plan',
  enterPortal: 'Button for members',
  goToPortal: 'Link to the portal',
  getStarted: 'Button of a plan',
  signIn: 'Link to sign in',
}

const button = ([name, text]: [string, string]): KnownSetting => ({
  ...common,
  name: `label.${name}`,
  label: buttonNames[name as keyof typeof buttonNames],
  section: 'Buttons',
  kind: 'line',
  default: text,
  hint: '',
  maxLength: 40,
  mayBeEmpty: false,
})

const lede = ([tab, text]: [string, string]): KnownSetting => ({
  ...common,
  name: `lede.${tab}`,
  label: `Line below “${tabTitleDefaults[tab as keyof typeof tabTitleDefaults]}”`,
  section: 'Tabs',
  kind: 'line',
  default: text,
  hint: '',
  maxLength: 160,
})

const word = (name: string, label: string, hint: string): KnownSetting => ({
  ...common,
  name: `word.${name}`,
  label,
  section: 'Tabs',
  kind: 'line',
  default: '',
  hint,
  maxLength: 30,
})

const announcement = (name: string, label: string, more: Partial<KnownSetting>): KnownSetting => ({
  ...common,
  name: `announcement.${name}`,
  label,
  section: 'Announcement',
  kind: 'line',
  default: '',
  hint: '',
  maxLength: 500,
  ...more,
})

const findDayProblem = (value: string) =>
  value === '' || z.iso.date().safeParse(value).success ? null : 'Enter a day, such as 2026-12-24'

export const navigationFields: readonly KnownSetting[] = [
  linksField({
    name: 'tabs',
    label: 'Tabs of the portal',
    hint: 'The first tab opens first. A tab that you remove is hidden; its address still works.',
    links: navigationDefaults.tabs,
    choices: forMembers,
    maxLinks: 6,
    maxLabelLength: 24,
  }),
  linksField({
    name: 'header',
    label: 'Header for visitors',
    hint: 'On the public pages. Once you change it, on the landing page too, where signing in has its own button.',
    links: defaultHeader,
    choices: forVisitors,
    maxLinks: 8,
  }),
  linksField({
    name: 'footer',
    label: 'Footer for visitors',
    hint: 'Privacy policy and terms follow by themselves once they have a text.',
    links: navigationDefaults.footer,
    choices: forVisitors,
    maxLinks: 16,
  }),
  linksField({
    name: 'members',
    label: 'Footer for members',
    hint: 'Privacy policy and terms follow by themselves once they have a text.',
    links: navigationDefaults.members,
    choices: forMembers,
    maxLinks: 16,
  }),
  word(
    'drop',
    'Word for one drop',
    'Such as “recipe”, on every page and in emails. Left empty, it follows the tab’s name.',
  ),
  word('drops', 'Word for several drops', 'Left empty, it’s the plural of the word for one.'),
  ...Object.entries(tabLedeDefaults).map(lede),
  ...Object.entries(buttonLabelDefaults).map(button),
  announcement('text', 'Text', {
    maxLength: 160,
    hint: 'In a bar above all pages. Each reader can dismiss it. Left empty, there is no bar.',
  }),
  announcement('link', 'Link', {
    hint: 'A path such as /drops, or an address that starts with https://. Left empty, the text isn’t a link.',
    findProblem: (value) =>
      value === '' || (isLinkTarget(value) && pageOfTarget(value) === null)
        ? null
        : 'Enter a path such as /drops, or an address that starts with https://',
  }),
  announcement('from', 'First day', {
    kind: 'date',
    hint: 'Left empty, the bar appears now.',
    findProblem: findDayProblem,
  }),
  announcement('until', 'Last day', {
    kind: 'date',
    hint: 'In the publication’s time zone. Left empty, the bar stays until you empty the text.',
    findProblem: (value, { 'announcement.from': from = '' }) =>
      findDayProblem(value) ?? (value !== '' && value < from ? 'The last day is before the first one' : null),
  }),
]
