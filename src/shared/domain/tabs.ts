import type { Publication, SiteLink, tabTitleDefaults } from '../publication-defaults.ts'

export type Tab = keyof typeof tabTitleDefaults
type Navigation = Pick<Publication, 'navigation'>

/** The tab as the publisher named it; undefined if it is hidden. */
export const findTab = ({ navigation }: Navigation, tab: Tab): SiteLink | undefined =>
  navigation.tabs.find(({ href }) => href === `/portal/${tab}`)

/** True if the portal shows the tab. Pages don't offer what the publisher hides. */
export const hasTab = (publication: Navigation, tab: Tab): boolean => findTab(publication, tab) !== undefined
