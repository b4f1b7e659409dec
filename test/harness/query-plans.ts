import type { Db, Document } from 'mongodb'
import { expect } from 'vitest'

/** The plan of the database for a query. */
export interface QueryPlan {
  /** The indexes that it uses. */
  indexes: string[]
  /** Whether it sorts the documents. */
  sorts: boolean
  /** The number of documents that it reads. */
  read: number
}

/** The parts of a `find` or an `aggregate` on which the plan depends. */
const PLANNED = ['find', 'filter', 'sort', 'limit', 'skip', 'projection', 'aggregate', 'pipeline', 'hint']

/** Explains a command that a store sent, as the driver's `commandStarted` gives it. Fails if it uses no index. */
export async function planOf(db: Db, command: Document): Promise<QueryPlan> {
  const asked = Object.fromEntries(
    PLANNED.filter((name) => command[name] !== undefined).map((name) => [name, command[name]]),
  )
  const query = asked.aggregate ? { ...asked, cursor: {} } : asked
  const answer = await db.command({ explain: query, verbosity: 'executionStats' })
  const stages = stagesOf(answer.queryPlanner.winningPlan)
  expect(stages.map(({ stage }) => stage)).not.toContain('COLLSCAN')
  return {
    indexes: [...new Set(stages.flatMap(({ indexName }) => indexName ?? []))],
    sorts: stages.some(({ stage }) => stage === 'SORT'),
    read: answer.executionStats.totalDocsExamined,
  }
}

function stagesOf(plan: Document): Document[] {
  const inner = [plan.queryPlan, plan.inputStage, ...(plan.inputStages ?? [])].filter(Boolean)
  return [plan, ...inner.flatMap(stagesOf)].filter(({ stage }) => stage)
}
