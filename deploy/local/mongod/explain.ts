import { type Document, serialize } from 'bson'
import { CODES } from './codes.ts'
import { CommandError, type Engine } from './engine.ts'

/** A node of PostgreSQL's plan. */
interface PlanNode {
  'Node Type': string
  'Index Name'?: string
  'Scan Direction'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  IndexDetails?: { indexName: string; indexKey: string; isMultiKey: boolean; indexBounds: string[] }[]
  Plans?: PlanNode[]
}

const QUERIES: Record<string, string> = {
  find: 'bson_aggregation_find',
  aggregate: 'bson_aggregation_pipeline',
  count: 'bson_aggregation_count',
  distinct: 'bson_aggregation_distinct',
}

/** Explains a read like MongoDB, as a winning plan of stages, from PostgreSQL's plan. */
export async function explain(engine: Engine, db: string, command: Document, verbosity: string): Promise<Document> {
  const [name = '', collection] = Object.entries(command)[0] ?? []
  const query = QUERIES[name]
  if (!query) throw new CommandError(CODES.commandNotFound, `explain of '${name}' is not supported`)
  await gatherStatistics(engine, db, String(collection))
  const run = verbosity !== 'queryPlanner'
  const options = `FORMAT JSON${run ? ', ANALYZE, TIMING OFF' : ''}`
  const [text] = await engine.call(
    `explain-${name}-${run}`,
    `EXPLAIN (${options}) SELECT document FROM documentdb_api_catalog.${query}($1, $2)`,
    [db, serialize(command)],
  )
  const [{ Plan: plan, 'Execution Time': time }] = JSON.parse(text ?? '[]')
  return {
    explainVersion: '1',
    queryPlanner: { namespace: `${db}.${collection}`, winningPlan: stageOf(plan), rejectedPlans: [] },
    ...(run && {
      executionStats: {
        executionSuccess: true,
        nReturned: plan['Actual Rows'] ?? 0,
        executionTimeMillis: Math.round(time ?? 0),
        totalDocsExamined: examined(plan),
      },
    }),
    command,
    serverInfo: { version: 'DocumentDB' },
    ok: 1,
  }
}

/** Gathers statistics first, which PostgreSQL otherwise does in the background: the explained plan is the one with statistics. */
async function gatherStatistics(engine: Engine, db: string, collection: string): Promise<void> {
  const [id] = await engine.call(
    'collection-id',
    'SELECT collection_id FROM documentdb_api_catalog.collections WHERE database_name = $1 AND collection_name = $2',
    [db, collection],
  )
  if (id) await engine.callLong(`ANALYZE documentdb_data.documents_${BigInt(id)}`, [])
}

const STAGES: Record<string, string> = {
  'Seq Scan': 'COLLSCAN',
  Sort: 'SORT',
  'Incremental Sort': 'SORT',
  Limit: 'LIMIT',
  Aggregate: 'GROUP',
  BitmapOr: 'OR',
  Append: 'OR',
  'Merge Append': 'SORT_MERGE',
}

function stageOf(node: PlanNode, details?: PlanNode['IndexDetails']): Document {
  const known = node.IndexDetails ?? details
  const inputs = (node.Plans ?? []).map((child) => stageOf(child, known))
  const type = node['Node Type']
  if (type === 'Index Scan') return { stage: 'FETCH', inputStage: indexScan(node, known) }
  if (type === 'Bitmap Index Scan' || type === 'Index Only Scan') return indexScan(node, known)
  if (type === 'Bitmap Heap Scan') return { stage: 'FETCH', ...inputsOf(inputs) }
  const stage = STAGES[type]
  // PostgreSQL's nodes that only pass rows on (custom scans, subqueries) are no stages.
  if (!stage && inputs.length === 1) return inputs[0]!
  return { stage: stage ?? type.toUpperCase().replaceAll(' ', '_'), ...inputsOf(inputs) }
}

function inputsOf(inputs: Document[]): Document {
  return inputs.length > 1 ? { inputStages: inputs } : inputs[0] ? { inputStage: inputs[0] } : {}
}

function indexScan(node: PlanNode, details: PlanNode['IndexDetails']): Document {
  const indexName = node['Index Name']
  const detail = details?.find((candidate) => candidate.indexName === indexName)
  return {
    stage: 'IXSCAN',
    indexName,
    direction: node['Scan Direction'] === 'Backward' ? 'backward' : 'forward',
    ...(detail && {
      keyPattern: JSON.parse(detail.indexKey),
      isMultiKey: detail.isMultiKey,
      indexBounds: detail.indexBounds,
    }),
  }
}

function examined(node: PlanNode): number {
  const isScan = /^(Seq|Index|Bitmap Heap) Scan$/.test(node['Node Type'])
  if (!isScan) return (node.Plans ?? []).reduce((sum, child) => sum + examined(child), 0)
  const rows =
    (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return Math.round(rows * (node['Actual Loops'] ?? 1))
}
