import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import type { AdminOverview } from '#shared/contracts/operations/admin-overview.ts'
import { AttentionList } from './attention-list.tsx'
import { FiguresList } from './figures-list.tsx'
import { FiguresTables } from './figures-tables.tsx'
import { ReadersSection } from './readers-section.tsx'
import { type PrepareEmail, UpcomingList } from './upcoming-list.tsx'

const columns =
  'mt-8 grid gap-x-10 gap-y-10 sm:mt-10 md:grid-cols-2 xl:grid-cols-[minmax(0,5fr)_minmax(0,5fr)_minmax(0,4.5fr)]'

type OverviewBoardProps = { overview: AdminOverview | undefined; prepareEmail: PrepareEmail }

/** The parts that the role may see: beside each other on a desktop, so that Monday's questions fit on one screen. */
export function OverviewBoard({ overview, prepareEmail }: OverviewBoardProps) {
  if (!overview) {
    return (
      <LoadingPlaceholder>
        <div className={columns}>
          {[1, 2, 3].map((part) => (
            <SkeletonText key={part} lines={7} height="h-10" />
          ))}
        </div>
      </LoadingPlaceholder>
    )
  }
  const { upcoming, stuckMembers, stuckMailings, readers, growth, listHealth, money, problems } = overview
  return (
    <>
      <div className={columns}>
        {upcoming && <UpcomingList upcoming={upcoming} prepareEmail={prepareEmail} />}
        {(stuckMembers || stuckMailings) && (
          <AttentionList stuckMembers={stuckMembers} stuckMailings={stuckMailings} problems={problems} />
        )}
        {(growth || listHealth || money) && (
          <div className="@container md:max-xl:col-span-2">
            <FiguresList growth={growth} listHealth={listHealth} money={money} />
          </div>
        )}
      </div>
      <FiguresTables growth={growth} listHealth={listHealth} money={money} />
      {readers && <ReadersSection readers={readers} />}
    </>
  )
}
