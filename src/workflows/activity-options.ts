/**
 * Timeouts and retries of all activities, one named profile per meaning of a retry (DESIGN §3). Attempts are unlimited
 * everywhere: an outage of ours waits, and what other servers refuse is counted in Postgres, never by Temporal.
 * Every profile waits for a cancelled activity to say that it has stopped.
 */
import {
  ActivityCancellationType,
  type ActivityOptions,
  type LocalActivityOptions,
} from '@temporalio/workflow'

const cancellationType = ActivityCancellationType.WAIT_CANCELLATION_COMPLETED

/** A few SQL statements. */
export const databaseProfile: ActivityOptions = {
  startToCloseTimeout: '2 minutes',
  cancellationType,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
}

/** Pages through every record of a project; says after each page that it is alive. */
export const planningProfile: ActivityOptions = {
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '60 seconds',
  cancellationType,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
}

/**
 * Calls somebody else's server, or decides records. The heartbeat carries a cancellation to the running call; 10 s
 * and not less, since an event loop blocked for 3 s must not run a call twice.
 */
export const outsideProfile: ActivityOptions = {
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '10 seconds',
  cancellationType,
  retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
}

/**
 * Fetches one file, which may take hours. Its heartbeat says that it goes on; a file whose worker died is tried again
 * half a minute later.
 */
export const transferProfile: ActivityOptions = {
  startToCloseTimeout: '24 hours',
  heartbeatTimeout: '30 seconds',
  cancellationType,
  retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
}

/**
 * Fetches files one after the other. What it had begun when its worker died is fenced, so a heartbeat that comes late costs
 * a repetition and spoils nothing; and a lane whose worker died is in the way of others, so it is taken over soon, also when
 * worker after worker dies: the delay does not grow with their number. Attempts are mostly waits, which bring their own.
 */
export const laneProfile: ActivityOptions = {
  startToCloseTimeout: '24 hours',
  heartbeatTimeout: '10 seconds',
  cancellationType,
  retry: {
    initialInterval: '500 milliseconds',
    backoffCoefficient: 1.2,
    // Each of many lanes asks a database that is away so often.
    maximumInterval: '3 seconds',
  },
}

/**
 * Decides few records inside the workflow task of their child, without a task of the server. Once: no signal and no
 * cancellation reaches a child meanwhile, so what does not succeed within seconds is left to an activity that can wait.
 */
export const atOnceProfile: LocalActivityOptions = {
  scheduleToStartTimeout: '5 seconds',
  startToCloseTimeout: '10 seconds',
  cancellationType,
  retry: { maximumAttempts: 1 },
}
