import type { SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import { type LegalSettings, legalDefaults } from '#shared/domain/legal.ts'
import { choice, type KnownSetting } from './navigation-fields.ts'

const legalChoice = (
  name: string,
  label: string,
  section: string,
  hint: string,
  options: Readonly<Record<string, string>> = { off: 'Off', on: 'On' },
): KnownSetting => ({ ...choice(name, label, section, options, 'off'), hint })

const statement = `We want everyone to be able to read and use this site.

**What we do.** Every page works with a keyboard and a screen reader, with text enlarged to 200%, and on small screens. We aim for level AA of the Web Content Accessibility Guidelines (WCAG) 2.2 and check pages for it before each release.

**What may not work yet.** Files to download, and pages of other companies that we link to, such as the checkout page, may have barriers.

**Found a barrier?** Write to [your address]. Say which page it is and what went wrong. We answer within five working days.`

const california =
  'For publishers who sell renewing plans to consumers in California. Source: California Business and Professions Code §17602'
const accessible =
  'For publishers who sell online to consumers in the European Union, unless they have fewer than 10 people and at most €2 million a year. Source: Directive (EU) 2019/882, Articles 4(5) and 13(2), since June 28, 2025. The statement appears at /accessibility once it has your address. Clear it to hide the page.'

/** Each hint says which publishers the law applies to, and its source. */
export const legalFields: readonly KnownSetting[] = [
  legalChoice(
    'withdrawal',
    'Withdrawal within 14 days',
    'Right of withdrawal',
    'For publishers who sell to consumers in the European Union. Adds a “Withdraw from contract here” link to every page. Source: Directive 2011/83/EU, Articles 9, 11a, 14 and 16(m); 11a was added by Directive (EU) 2023/2673 and applies from June 19, 2026.',
    {
      off: 'Off',
      full: 'Refund everything',
      prorated: 'Refund the rest of the period, with consent at checkout',
    },
  ),
  legalChoice(
    'asksConsent',
    'Ask for consent before checkout',
    'Renewals',
    `${california}, as amended by AB 2863, since July 1, 2025. Shows the price and renewal terms with a box to agree to. What each buyer was shown is stored either way.`,
  ),
  legalChoice(
    'yearlyReminder',
    'Yearly reminder of plans paid more often',
    'Renewals',
    `${california}, as amended by AB 2863, since July 1, 2025. Plans that are paid twice a year or less often always get an email 30 days before each renewal.`,
  ),
  {
    ...legalChoice(
      'discountNotice',
      'Email before a discount ends',
      'Renewals',
      `${california}, as amended by AB 390, since July 1, 2022: 3 to 21 days before. Trials always get one.`,
    ),
    default: 'on',
  },
  {
    ...{ name: 'accessibility', label: 'Accessibility statement', section: 'Accessibility', hint: accessible },
    ...{ default: statement, maxLength: 40_000, fields: [], mayBeEmpty: true },
    kind: 'markdown',
    findProblem: (value) => (value.includes('[your address]') ? 'Enter an address for reports of barriers' : null),
  },
]

export const composeLegal = (values: SettingValues): LegalSettings => {
  const isOn = (name: Exclude<keyof LegalSettings, 'withdrawal'>) =>
    values[name] === undefined ? legalDefaults[name] : values[name] === 'on'
  const choices = { asksConsent: isOn('asksConsent'), yearlyReminder: isOn('yearlyReminder') }
  const withdrawal = (values.withdrawal ?? legalDefaults.withdrawal) as LegalSettings['withdrawal']
  return { withdrawal, ...choices, discountNotice: isOn('discountNotice') }
}
