import { useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useRef } from 'react'
import { useNearViewport } from '#client/ui/use-near-viewport.ts'
import type { GuidePage } from '#shared/contracts/library/library.ts'
import { guidesQuery } from './guides.api.ts'

/** If there is no source, browsers show the text and a mark for a broken image. */
const emptyImage = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

type PageImageProps = { page: GuidePage; alt: string; className?: string }

/** A page on white paper, in dark mode too. Its size is known before it loads. */
export function PageImage({ page, alt, className }: PageImageProps) {
  const queryClient = useQueryClient()
  const hasFailed = useRef(false)
  const image = useRef<HTMLImageElement>(null)
  const isNear = useNearViewport(image)

  /** The link has expired if the tab was open for hours. New links come with the list. */
  const handleError = () => {
    if (hasFailed.current) return
    hasFailed.current = true
    void queryClient.invalidateQueries({ queryKey: guidesQuery.queryKey })
  }

  return (
    <img
      ref={image}
      src={isNear ? page.path : emptyImage}
      width={page.width}
      height={page.height}
      alt={alt}
      style={{ aspectRatio: `${page.width} / ${page.height}` }}
      decoding="async"
      onError={handleError}
      className={clsx('rounded-sm border border-line bg-sunken', className)}
    />
  )
}
