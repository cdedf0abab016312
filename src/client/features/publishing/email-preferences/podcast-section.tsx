import { useQuery } from '@tanstack/react-query'
import { callQuery } from '#client/lib/calls.ts'
import { ownWords } from '#client/lib/publication.ts'
import { ButtonAnchor } from '#client/ui/button.tsx'
import { CopyButton } from '#client/ui/copy-button.tsx'
import { podcastCall } from '#shared/contracts/publishing/recordings.ts'
import { podcastLinks } from '#shared/domain/podcast-links.ts'
import { FeedAddress } from './feed-address.tsx'

const scrollIfLinked = (heading: HTMLElement | null) => {
  if (location.hash === '#podcast') heading?.scrollIntoView()
}

/** The member's own podcast, once a drop has a recording. */
export default function PodcastSection() {
  const { data } = useQuery(callQuery(['podcast'], podcastCall, {}))
  if (!data?.url) return null
  return (
    <section aria-labelledby="podcast" className="mt-16 grid max-w-2xl gap-3 border-t border-line pt-6">
      <h3 id="podcast" ref={scrollIfLinked} className="display scroll-mt-4 text-xl">
        Your podcast
      </h3>
      <p className="text-muted">{ownWords`Listen to the recordings of all drops in your podcast app. The address is private and works while you have access. If no app opens, copy the address and add it in your app.`}</p>
      <div className="flex flex-wrap gap-2">
        {podcastLinks(data.url).map(({ label, href }) => (
          <ButtonAnchor key={label} href={href} variant="secondary">
            {label}
          </ButtonAnchor>
        ))}
      </div>
      <FeedAddress label="Address of your podcast" ending=".rss">
        {(address) => <CopyButton text={address} what="Address of your podcast" size="md" />}
      </FeedAddress>
      <p className="text-sm text-muted">Or scan this with your phone to choose an app there:</p>
      <img src={data.qr} alt="QR code of your podcast" className="size-32 rounded-sm bg-white" />
    </section>
  )
}
