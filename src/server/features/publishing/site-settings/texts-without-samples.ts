import type { SettingGroup, SettingValues } from '#shared/contracts/publishing/site-settings.ts'

/** Defaults while the samples are removed: texts of the default publication go with them, until the publisher writes others. */
export const textsWithoutSamples: Partial<Record<SettingGroup, SettingValues>> = {
  publication: {
    tagline: 'A newsletter and its archive',
    description: 'A newsletter, and everything it has published, for its members.',
    'landing.heroTitle': '{publication}',
    'landing.heroText':
      'By email, and here with everything we have published. Read what is open, or join to read it all.',
    'landing.samplesTitle': 'Have a look before you decide',
    'landing.dropsText': 'By email and on this site, from the latest to the first.',
    'landing.promptsText': 'Ready to copy.',
    'landing.guidesText': 'To read, download and print.',
    'landing.toolsText': 'What we recommend, and why.',
    'landing.answer1':
      'Everything we publish, by email and in the members’ portal. Earlier issues are there from day one.',
    'landing.question2': '',
    'landing.answer2': '',
    'landing.question3': '',
    'landing.answer3': '',
    'landing.question4': '',
    'landing.answer4': '',
  },
  navigation: { 'lede.weekly-drops': '', 'lede.prompt-packs': '', 'lede.guides': '', 'lede.tools': '' },
}
