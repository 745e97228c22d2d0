/*
 * operations - the descriptions of all paths. One file for each API, with the
 * tables of its answers; the fields of a request are those that its door reads.
 *
 * To describe a new path, declare its operation here, define it in the file of
 * its API, and name it in its row of route_rows or status_pages.
 */
#ifndef TERRARIUM_OPERATIONS_H
#define TERRARIUM_OPERATIONS_H

#include "operation.h"

/* native_operations.c */
extern const struct operation native_run_operation;
extern const struct operation native_discovery_operation;
extern const struct operation native_packages_operation;
extern const struct operation native_names_operation;
extern const struct operation native_forbidden_operation;
extern const struct operation native_stop_operation;
extern const struct operation native_health_operation;
extern const struct operation native_healthz_operation;
extern const struct operation native_openapi_operation;

/* session_operations.c */
extern const struct operation session_execute_operation;
extern const struct operation session_release_operation;
extern const struct operation session_fork_operation;
extern const struct operation session_status_operation;
extern const struct operation session_v1_execute_operation;
extern const struct operation session_v1_release_operation;
extern const struct operation session_v1_list_operation;
extern const struct operation session_v1_upload_operation;
extern const struct operation session_v1_remove_operation;
extern const struct operation session_v1_export_operation;
extern const struct operation session_v1_fetch_operation;
extern const struct operation session_v1_replace_operation;
extern const struct operation session_v1_status_operation;

/* solver_operations.c */
extern const struct operation solver_execute_operation;
extern const struct operation solver_syntax_operation;
extern const struct operation solver_ast_operation;

/* client_operations.c */
extern const struct operation ragflow_run_operation;
extern const struct operation snekbox_eval_operation;
extern const struct operation mcp_operation;
extern const struct operation mcp_messages_operation;
extern const struct operation mcp_sse_operation;

/* dify_operations.c */
extern const struct operation dify_run_operation;
extern const struct operation dify_packages_operation;
extern const struct operation dify_refresh_operation;
extern const struct operation dify_update_operation;

/* piston_operations.c */
extern const struct operation piston_execute_operation;
extern const struct operation piston_runtimes_operation;
extern const struct operation piston_packages_operation;
extern const struct operation piston_install_operation;
extern const struct operation piston_remove_operation;
extern const struct operation piston_connect_operation;
extern const struct operation piston_public_execute_operation;
extern const struct operation piston_public_runtimes_operation;
extern const struct operation piston_public_packages_operation;
extern const struct operation piston_public_install_operation;
extern const struct operation piston_public_remove_operation;
extern const struct operation piston_public_connect_operation;

/* e2b_operations.c */
extern const struct operation e2b_create_operation;
extern const struct operation e2b_create_v2_operation;
extern const struct operation e2b_list_operation;
extern const struct operation e2b_list_v2_operation;
extern const struct operation e2b_detail_operation;
extern const struct operation e2b_kill_operation;
extern const struct operation e2b_connect_operation;
extern const struct operation e2b_connect_v2_operation;
extern const struct operation e2b_timeout_operation;
extern const struct operation e2b_resume_operation;
extern const struct operation e2b_metrics_operation;
extern const struct operation e2b_health_operation;
extern const struct operation e2b_execute_operation;
extern const struct operation e2b_files_read_operation;
extern const struct operation e2b_files_write_operation;
extern const struct operation e2b_files_list_operation;
extern const struct operation e2b_files_stat_operation;
extern const struct operation e2b_files_make_operation;
extern const struct operation e2b_files_move_operation;
extern const struct operation e2b_files_remove_operation;
extern const struct operation e2b_process_start_operation;
extern const struct operation e2b_process_connect_operation;
extern const struct operation e2b_watch_operation;
extern const struct operation e2b_process_list_operation;
extern const struct operation e2b_process_signal_operation;
extern const struct operation e2b_process_other_operation;
extern const struct operation e2b_contexts_operation;
extern const struct operation e2b_context_create_operation;
extern const struct operation e2b_context_restart_operation;
extern const struct operation e2b_context_remove_operation;

/* opensandbox_operations.c */
extern const struct operation opensandbox_create_operation;
extern const struct operation opensandbox_list_operation;
extern const struct operation opensandbox_detail_operation;
extern const struct operation opensandbox_delete_operation;
extern const struct operation opensandbox_renew_operation;
extern const struct operation opensandbox_endpoint_operation;
extern const struct operation opensandbox_ping_operation;
extern const struct operation opensandbox_code_operation;
extern const struct operation opensandbox_interrupt_operation;
extern const struct operation opensandbox_context_create_operation;
extern const struct operation opensandbox_contexts_operation;
extern const struct operation opensandbox_contexts_remove_operation;
extern const struct operation opensandbox_context_operation;
extern const struct operation opensandbox_context_remove_operation;
extern const struct operation opensandbox_command_operation;
extern const struct operation opensandbox_session_operation;
extern const struct operation opensandbox_download_operation;
extern const struct operation opensandbox_upload_operation;
extern const struct operation opensandbox_info_operation;
extern const struct operation opensandbox_remove_files_operation;
extern const struct operation opensandbox_move_operation;
extern const struct operation opensandbox_directory_operation;
extern const struct operation opensandbox_make_operation;
extern const struct operation opensandbox_remove_directories_operation;

#endif
