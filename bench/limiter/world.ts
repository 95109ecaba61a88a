/**
 * Everything that is simulated in one run: a clock, a limiter host, worker processes, origins, and the
 * activities that ask them.
 *
 * An activity sits in a slot of some process, waits there for its permit, sends, and goes on with its next
 * request. Turned away, it gives the slot back and comes again after `retryAfterMs`, in whatever process
 * has a slot free then. Activities of a process that is killed come again when their heartbeat is missed.
 */
import { setMaxListeners } from 'node:events'
import type { Permit } from '../../src/core/limiter/permit.ts'
import type { DomainPolicy } from '../../src/core/limiter/policy.ts'
import { OutsideCallError } from '../../src/errors.ts'
import { LimiterHost, type LimiterHostOptions } from './limiter-host.ts'
import { createNetwork, type Network } from './network.ts'
import type { Origin } from './origins/origin.ts'
import { DomainLog } from './run-log.ts'
import { seededRandom, type Random } from './seeded-random.ts'
import { shiftedClock, VirtualClock } from './virtual-clock.ts'
import { WorkerProcess } from './worker-process.ts'

export interface WorldOptions extends Pick<LimiterHostOptions, 'weightOf' | 'onStep'> {
  readonly seed: number
  readonly policyFor: (domain: string) => DomainPolicy
  /** Activities a process runs at once. */
  readonly slots: number
}

/** An activity; `process` is where it runs, if it does. */
interface Task {
  readonly domain: string
  readonly project: string
  /** Asks again after each answer; a single request otherwise. */
  readonly isEndless: boolean
  process: WorkerProcess | undefined
}

interface Domain {
  readonly name: string
  readonly origin: Origin
  readonly log: DomainLog
}

/** Temporal notices a dead process by its missing heartbeat. */
const HEARTBEAT_TIMEOUT_MS = 10_000
/** A task that found no answer in a 5xx or a broken connection asks again after this (`retry-delay.ts`). */
const AFTER_FAILURE_MS = 5_000

export class World {
  readonly clock = new VirtualClock()
  readonly limiters: LimiterHost
  readonly processes: WorkerProcess[] = []
  readonly #options: WorldOptions
  readonly #domains = new Map<string, Domain>()
  readonly #network: Network
  readonly #random: Random
  readonly #ready: Task[] = []
  readonly #tasks = new Set<Task>()
  readonly #never = new AbortController().signal
  #isResting = false

  constructor(options: WorldOptions) {
    setMaxListeners(0, this.#never)
    this.#options = options
    const { seed, policyFor, weightOf, onStep } = options
    this.#random = seededRandom(seed, 'tasks')
    this.#network = createNetwork(this.clock, seededRandom(seed, 'network'))
    this.limiters = new LimiterHost({
      clock: this.clock,
      random: seededRandom(seed, 'limiter'),
      network: createNetwork(this.clock, seededRandom(seed, 'messages')),
      policyFor,
      logFor: (domain) => this.#domain(domain).log,
      weightOf,
      onStep,
    })
  }

  addDomain(name: string, origin: Origin): DomainLog {
    const log = new DomainLog()
    this.#domains.set(name, { name, origin, log })
    return log
  }

  /** @param clockShiftMs Where its clock stands, against all others. */
  addProcess(clockShiftMs = 0): void {
    const name = `w${this.processes.length + 1}`
    this.processes.push(
      new WorkerProcess({
        name,
        slots: this.#options.slots,
        clock: clockShiftMs === 0 ? this.clock : shiftedClock(this.clock, clockShiftMs),
        random: seededRandom(this.#options.seed, name),
        channel: this.limiters.channel(name),
        policyFor: this.#options.policyFor,
      }),
    )
    this.#fillSlots()
  }

  /** kill -9. */
  kill(process: WorkerProcess): void {
    process.isDead = true
    const orphans = [...this.#tasks].filter((task) => task.process === process)
    this.clock.after(HEARTBEAT_TIMEOUT_MS, () => {
      for (const task of orphans) this.#start(task)
    })
  }

  addTask(domain: string, project: string, isEndless = true): void {
    const task: Task = { domain, project, isEndless, process: undefined }
    this.#tasks.add(task)
    this.#start(task)
  }

  /** Nobody asks any more, until `wake`. */
  rest(): void {
    this.#isResting = true
  }

  wake(): void {
    this.#isResting = false
    this.#fillSlots()
  }

  #domain(name: string): Domain {
    const domain = this.#domains.get(name)
    if (domain === undefined) throw new Error(`no origin for ${name} in this world`)
    return domain
  }

  #start(task: Task): void {
    task.process = undefined
    this.#ready.push(task)
    this.#fillSlots()
  }

  #fillSlots(): void {
    while (this.#ready.length > 0 && !this.#isResting) {
      const process = this.#processWithRoom()
      if (process === undefined) return
      const task = this.#ready.shift()
      if (task === undefined) return
      process.freeSlots -= 1
      task.process = process
      this.#ask(task, process)
    }
  }

  #processWithRoom(): WorkerProcess | undefined {
    const { processes } = this
    const first = Math.floor(this.#random() * processes.length)
    for (let tried = 0; tried < processes.length; tried += 1) {
      const process = processes[(first + tried) % processes.length]
      if (process !== undefined && process.freeSlots > 0 && !process.isDead) return process
    }
    return undefined
  }

  #ask(task: Task, process: WorkerProcess): void {
    const { domain, project } = task
    process.permits.acquire({ domain, project, signal: this.#never }).then(
      (permit) => process.isDead || this.#send(task, process, permit),
      (error: unknown) => {
        if (process.isDead) return
        if (!(error instanceof OutsideCallError)) throw error
        this.#leave(task, process, error.retryAfterMs ?? 0)
      },
    )
  }

  #send(task: Task, process: WorkerProcess, permit: Permit): void {
    const { origin, log, name } = this.#domain(task.domain)
    const sentMs = this.clock.nowMs()
    this.#checkRight(log, name, process)
    log.sentMs.push(sentMs)
    log.inFlight += 1
    log.mostInFlight = Math.max(log.mostInFlight, log.inFlight)
    this.clock.after(this.#network.delayMs(), () => {
      const arrivedMs = this.clock.nowMs()
      const { outcome, serviceMs, units } = origin.arrive(arrivedMs)
      switch (outcome.kind) {
        case 'ok':
          log.accepted.push({ atMs: arrivedMs, units, project: task.project, worker: process.name })
          break
        case 'throttled':
          log.refusedMs.push(arrivedMs)
          break
        default:
          log.failedMs.push(arrivedMs)
      }
      this.clock.after(serviceMs + this.#network.delayMs(), () => {
        log.inFlight -= 1
        if (process.isDead) return
        const latencyMs = this.clock.nowMs() - sentMs
        if (outcome.kind === 'ok') log.latencyMs.push(latencyMs)
        permit.report({ ...outcome, latencyMs })
        this.#goOn(task, process, outcome.kind)
      })
    })
  }

  #goOn(task: Task, process: WorkerProcess, kind: string): void {
    if (kind !== 'ok') {
      this.#leave(task, process, kind === 'throttled' ? 0 : AFTER_FAILURE_MS)
      return
    }
    if (task.isEndless && !this.#isResting && this.#ready.length === 0) {
      this.#ask(task, process)
      return
    }
    if (!task.isEndless) this.#tasks.delete(task)
    this.#leave(task, process, 0)
  }

  /** Gives the slot back, and comes again. */
  #leave(task: Task, process: WorkerProcess, comebackMs: number): void {
    task.process = undefined
    process.freeSlots += 1
    if (this.#tasks.has(task)) this.clock.after(comebackMs, () => this.#start(task))
    this.#fillSlots()
  }

  #checkRight(log: DomainLog, domain: string, process: WorkerProcess): void {
    if (this.limiters.isPaused(domain)) log.sentInPause += 1
    if (this.limiters.holdsLease(domain, process.name)) return
    if (this.limiters.isSilentTo(domain, process.name)) log.sentAlone += 1
    else log.sentWithoutLease += 1
  }
}
