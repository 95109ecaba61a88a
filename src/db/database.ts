import type { AttemptTable } from './tables/attempt.table.ts'
import type { AuditRecordTable, AuditTable } from './tables/audit.table.ts'
import type { BlobTable } from './tables/blob.table.ts'
import type { DatasetTable } from './tables/dataset.table.ts'
import type { DecisionTable } from './tables/decision.table.ts'
import type { DownloadQueueTable } from './tables/download-queue.table.ts'
import type { DomainLimitTable } from './tables/domain-limit.table.ts'
import type { EndActionTable, RunEndActionTable } from './tables/end-action.table.ts'
import type { EntryTable } from './tables/entry.table.ts'
import type {
  ExtractBodyTable,
  ExtractErrorTable,
  ExtractItemTable,
} from './tables/extract-item.table.ts'
import type { ExtractCheckpointTable, ExtractPageTable } from './tables/extract-page.table.ts'
import type { ExtractRunTable } from './tables/extract-run.table.ts'
import type { GoldItemTable } from './tables/gold-item.table.ts'
import type { ImageCheckTable } from './tables/image-check.table.ts'
import type { HttpCacheTable } from './tables/http-cache.table.ts'
import type { ItemSearchTable } from './tables/item-search.table.ts'
import type { ItemTable } from './tables/item.table.ts'
import type { ItemValueTable } from './tables/item-value.table.ts'
import type { DownloadAttemptTable, JobTable } from './tables/job.table.ts'
import type { JudgmentActTable } from './tables/judgment-act.table.ts'
import type { JudgmentTable } from './tables/judgment.table.ts'
import type { LookupTable, SubjectLookupTable } from './tables/lookup.table.ts'
import type { ProjectSettingTable } from './tables/project-setting.table.ts'
import type { ProjectTable } from './tables/project.table.ts'
import type { ReviewSkipTable } from './tables/review-skip.table.ts'
import type { ResultView } from './tables/result.table.ts'
import type { RunTable } from './tables/run.table.ts'
import type { ScheduleTable } from './tables/schedule.table.ts'
import type { ServiceTable } from './tables/service.table.ts'
import type { ServiceVersionTable } from './tables/service-version.table.ts'
import type { StartRequestTable } from './tables/start-request.table.ts'
import type { SubjectTable } from './tables/subject.table.ts'
import type { TaskTable } from './tables/task.table.ts'

/** Every table and view, by its name in Postgres. */
export interface Database {
  dataset: DatasetTable
  entry: EntryTable
  project: ProjectTable
  project_setting: ProjectSettingTable
  run: RunTable
  task: TaskTable
  subject: SubjectTable
  service_version: ServiceVersionTable
  lookup: LookupTable
  subject_lookup: SubjectLookupTable
  item: ItemTable
  gold_item: GoldItemTable
  item_value: ItemValueTable
  image_check: ImageCheckTable
  service: ServiceTable
  schedule: ScheduleTable
  decision: DecisionTable
  judgment: JudgmentTable
  judgment_act: JudgmentActTable
  review_skip: ReviewSkipTable
  audit: AuditTable
  audit_record: AuditRecordTable
  attempt: AttemptTable
  end_action: EndActionTable
  run_end_action: RunEndActionTable
  start_request: StartRequestTable
  item_search: ItemSearchTable
  domain_limit: DomainLimitTable
  extract_run: ExtractRunTable
  extract_checkpoint: ExtractCheckpointTable
  extract_page: ExtractPageTable
  extract_body: ExtractBodyTable
  extract_item: ExtractItemTable
  extract_error: ExtractErrorTable
  download_queues: DownloadQueueTable
  jobs: JobTable
  download_attempts: DownloadAttemptTable
  blobs: BlobTable
  http_cache: HttpCacheTable
  result: ResultView
}
